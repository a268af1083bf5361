import BasketConnection
import FileProvider

/// Deletes items, past the trash.
struct ItemDeleter: Sendable {
    let session: ProviderSession
    let operations: ItemOperations

    func delete(
        _ identifier: NSFileProviderItemIdentifier, _ base: NSFileProviderItemVersion,
        _ options: NSFileProviderDeleteItemOptions
    ) async throws {
        let id = identifier.serverID
        do {
            try await operations.delete(
                id, base: base.content(of: id), recursive: options.contains(.recursive))
        } catch let error as ConnectionError {
            switch (Reaction(error), error.code) {
            case (.forget, _): return  // Deleted is deleted.
            case (.undelete, _), (_, "forbidden"), (_, "permanent_item"):
                try await reject(id)
            default: throw error
            }
        }
    }

    private func reject(_ id: String) async throws {
        do {
            throw ProviderFailure.rejectedDeletion(try await session.freshItem(id))
        } catch let error as ConnectionError where Reaction(error) == .forget {
            // Somebody else was faster.
        }
    }
}
