import FileProvider
import Foundation

/// A search that nobody can do.
final class FailedSearch: NSObject, NSFileProviderSearchEnumerator, Sendable {
    private let error: any Error

    init(_ error: any Error) {
        self.error = error
    }

    func invalidate() {}

    func enumerateSearchResults(
        for observer: any NSFileProviderSearchEnumerationObserver,
        startingAt page: NSFileProviderPage?
    ) {
        observer.finishEnumeratingWithError(error)
    }
}
