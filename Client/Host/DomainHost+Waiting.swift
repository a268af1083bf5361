import FileProvider
import FileProviderReplica
import Foundation

// Barriers.
extension DomainHost {
    /// Returns when everything that was changed here in a folder, at any depth, has been acknowledged by the
    /// extension. What is only being moved into it does not count, so that the extension may wait for this while
    /// it is asked to move something.
    ///
    /// - Throws: `cannotSynchronize` with the item, when one of them is given up.
    package func waitForChanges(below folder: NodeID) async throws {
        while true {
            let count = replica.changes.count
            let waiting = try replica.read { try $0.changesHere(below: folder) }
            if waiting.isEmpty { return }
            for id in waiting { try requireHope(id) }
            await replica.changes.wait(since: count)
            try Task.checkCancellation()
        }
    }

    private func requireHope(_ id: NodeID) throws {
        let (trouble, identifier) = try replica.read { reader in
            (try reader.trouble(of: id), try reader.node(id)?.identifier)
        }
        guard let trouble, trouble.domain == NSFileProviderErrorDomain,
            trouble.code == NSFileProviderError.Code.cannotSynchronize.rawValue
        else { return }
        var facts: [String: Any] = [NSLocalizedDescriptionKey: trouble.message]
        facts[NSFileProviderErrorItemKey] = identifier
        throw NSFileProviderError(.cannotSynchronize, userInfo: facts)
    }
}
