import FileProvider
import FileProviderHost
import FileProviderReplica
import Foundation

// What its extension does for it.
extension Device {
    /// As its extension has it.
    var manager: NSFileProviderManager {
        let domain = NSFileProviderDomain(
            record: DomainRecord(identifier: .init("Work"), displayName: "Work"), system: system)
        guard let manager = NSFileProviderManager(for: domain) else { fatalError("it has none") }
        return manager
    }

    func identifier(of id: NodeID) throws -> NSFileProviderItemIdentifier {
        guard let identifier = try replica.read({ try $0.node(id)?.identifier }) else {
            throw LocalError.notFound
        }
        return identifier
    }

    /// Has its extension do something with an item.
    func perform(_ action: String, on id: NodeID) async throws {
        guard let provider = provider as? any NSFileProviderCustomAction else { return }
        let identifier = try identifier(of: id)
        let failure: (any Error)? = await withCheckedContinuation { continuation in
            _ = provider.performAction(
                identifier: NSFileProviderExtensionActionIdentifier(action),
                onItemsWithIdentifiers: [identifier]
            ) { continuation.resume(returning: $0) }
        }
        if let failure { throw failure }
    }

    /// Has its extension search, if it can.
    func search(_ words: String) async throws -> [String] {
        guard let searching = provider as? any NSFileProviderSearching else { return [] }
        let pending = PendingAnswer<Result<[String], any Error>>()
        let listener = SearchListener { pending.end(with: $0) }
        let request = NSFileProviderStringSearchRequest(query: words, desiredNumberOfResults: 20)
        let enumerator = searching.searchEnumerator(for: request)
        enumerator.enumerateSearchResults(for: listener, startingAt: nil)
        defer { enumerator.invalidate() }
        return try await pending.value()?.get() ?? []
    }
}
