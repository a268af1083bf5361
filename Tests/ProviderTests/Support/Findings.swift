import FileProvider
import Foundation
import Synchronization

/// Collects what a search finds, two at a time, and hands it on at the end.
final class Findings: NSObject, NSFileProviderSearchEnumerationObserver {
    struct Told: @unchecked Sendable {
        // Unchecked: the results are values of the extension's that never change.
        var results: [any NSFileProviderSearchResult] = []
        var page: NSFileProviderPage?
    }

    private let told = Mutex(Told())
    private let finish: @Sendable (Result<Told, any Error>) -> Void

    init(finish: @escaping @Sendable (Result<Told, any Error>) -> Void) {
        self.finish = finish
    }

    var maximumNumberOfResultsPerPage: Int { 2 }

    func didEnumerate(_ searchResults: [any NSFileProviderSearchResult]) {
        let part = Told(results: searchResults)
        told.withLock { $0.results += part.results }
    }

    func finishEnumerating(upTo nextPage: NSFileProviderPage?) {
        finish(
            .success(
                told.withLock {
                    $0.page = nextPage
                    return $0
                }))
    }

    func finishEnumeratingWithError(_ error: any Error) {
        finish(.failure(error))
    }
}
