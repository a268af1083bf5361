import Foundation

/// Hears of what a search finds. The system implements it, and may be called from any thread.
public protocol NSFileProviderSearchEnumerationObserver: NSObjectProtocol, Sendable {
    func didEnumerate(_ searchResults: [any NSFileProviderSearchResult])
    func finishEnumerating(upTo nextPage: NSFileProviderPage?)
    /// Ends the search; the system does not try again.
    func finishEnumeratingWithError(_ error: any Error)
    /// A page with more results is refused.
    var maximumNumberOfResultsPerPage: Int { get }
}
