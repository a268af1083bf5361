import BasketConnection
import BasketModels
import FileProvider
import Foundation

/// Has the server look for words in names and tags. A page's name is how many results came before it.
final class SearchEnumerator: NSObject, NSFileProviderSearchEnumerator, Sendable {
    /// The server gives no more at once.
    private static let mostResults = 200

    private let words: String
    private let session: ProviderSession
    private let calls: CallRegistry

    init(_ words: String, session: ProviderSession) {
        self.words = words
        self.session = session
        calls = CallRegistry(world: session.world)
    }

    func invalidate() {
        calls.close()
    }

    func enumerateSearchResults(
        for observer: any NSFileProviderSearchEnumerationObserver,
        startingAt page: NSFileProviderPage?
    ) {
        let start = page.map { Int(String(decoding: $0.rawValue, as: UTF8.self)) } ?? 0
        let limit = min(Self.mostResults, max(1, observer.maximumNumberOfResultsPerPage))
        _ = calls.begin { _ in
            guard let start, start >= 0 else { throw NSFileProviderError(.pageExpired) }
            return try await self.results(start, limit)
        } finish: { result in
            switch result {
            case .success(let (results, next)):
                observer.didEnumerate(results)
                observer.finishEnumerating(upTo: next)
            case .failure(let error): observer.finishEnumeratingWithError(error)
            }
        }
    }

    private func results(
        _ start: Int, _ limit: Int
    ) async throws -> ([SearchResult], NSFileProviderPage?) {
        let facts = try await session.facts()
        let found = try await session.call {
            try await $0.search(words, in: $1, limit: limit, offset: start)
        }
        let results = found.items.map { SearchResult(BasketItem($0, facts: facts)) }
        let next = NSFileProviderPage(Data("\(start + results.count)".utf8))
        return (results, found.more && !results.isEmpty ? next : nil)
    }
}
