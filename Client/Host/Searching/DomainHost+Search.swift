import FileProvider
import FileProviderReplica
import Foundation

// What the provider finds.
extension DomainHost {
    /// So many results come in a page.
    private static let mostResultsPerPage = 100
    /// So many pages are asked for, whatever is in them.
    private static let mostSearchPages = 100

    /// Has the provider look for words. Each item is in the answer once. An error ends it: nothing is asked again but
    /// what was given up because what is here is being offered once more, or whose page has expired.
    /// When the task is cancelled, the provider is told that nobody wants to know any more.
    ///
    /// - Throws: `CocoaError.featureUnsupported` where the domain, or the extension, does not search.
    package func search(_ words: String, limit: Int) async throws -> [FoundItem] {
        guard settings.supportsSearch,
            let searching = calls.provider as? any NSFileProviderSearching
        else { throw CocoaError(.featureUnsupported) }
        guard limit > 0 else { return [] }
        return try await calls.whenSettled {
            try await calls.fromFirstPage {
                try await search(words, limit: limit, by: searching)
            }
        }
    }

    private func search(
        _ words: String, limit: Int, by searching: any NSFileProviderSearching
    ) async throws -> [FoundItem] {
        // Extensions' objects are called from any thread, as the API says.
        nonisolated(unsafe) let enumerator = searching.searchEnumerator(
            for: NSFileProviderStringSearchRequest(query: words, desiredNumberOfResults: limit))
        defer { enumerator.invalidate() }
        var found: [FoundItem] = []
        var known: Set<NSFileProviderItemIdentifier> = []
        var page: NSFileProviderPage?
        for _ in 0..<Self.mostSearchPages {
            let collector = SearchCollector(
                upTo: min(Self.mostResultsPerPage, limit - found.count))
            let next = try await calls.answer(to: collector.once) {
                enumerator.enumerateSearchResults(for: collector, startingAt: page)
            }
            calls.note(next.refused)
            found += next.items.filter { known.insert($0.identifier).inserted }
            guard let following = next.next, following != page, found.count < limit else { break }
            page = following
        }
        return try replica.read { reader in
            try found.map { item in
                var item = item
                item.node = try reader.id(of: item.identifier)
                return item
            }
        }
    }
}
