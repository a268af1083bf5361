import BasketConnection
import BasketModels
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
        defer { session.listings.note(deleted: id) }
        do {
            var seen = base.content(of: id)
            if seen == nil { seen = try await emptyVersion(of: id) }
            try await operations.delete(
                id, base: seen, recursive: options.contains(.recursive))
        } catch let error as ConnectionError {
            switch (Reaction(error), error.code) {
            case (.forget, _): return  // Deleted is deleted.
            case (.undelete, _), (_, "forbidden"), (_, "permanent_item"):
                try await reject(id)
            default: throw error
            }
        }
    }

    /// Whose content nobody here has seen is not deleted by anybody here, nor what comes after this look.
    private func emptyVersion(of id: String) async throws -> Version {
        let item = try await session.freshItem(id)
        guard item.info.kind != .file || item.info.sha256 == nil else {
            throw ProviderFailure.rejectedDeletion(item)
        }
        return item.info.contentVersion
    }

    private func reject(_ id: String) async throws {
        do {
            throw ProviderFailure.rejectedDeletion(try await session.freshItem(id))
        } catch let error as ConnectionError where Reaction(error) == .forget {
            // Somebody else was faster.
        }
    }
}
