import FileProvider
import Foundation
import Synchronization

/// Hears of what an extension finds.
final class SearchListener: NSObject, NSFileProviderSearchEnumerationObserver, Sendable {
    private let found = Mutex<[String]>([])
    private let finish: @Sendable (Result<[String], any Error>) -> Void

    init(_ finish: @escaping @Sendable (Result<[String], any Error>) -> Void) {
        self.finish = finish
    }

    var maximumNumberOfResultsPerPage: Int { 20 }

    func didEnumerate(_ searchResults: [any NSFileProviderSearchResult]) {
        let items = searchResults.map(\.itemIdentifier.rawValue)
        found.withLock { $0 += items }
    }

    func finishEnumerating(upTo nextPage: NSFileProviderPage?) {
        finish(.success(found.withLock { $0 }))
    }

    func finishEnumeratingWithError(_ error: any Error) {
        finish(.failure(error))
    }
}
