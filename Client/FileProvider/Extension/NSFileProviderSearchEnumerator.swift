import Foundation

/// Lists what a search finds, page by page.
public protocol NSFileProviderSearchEnumerator: NSObjectProtocol {
    /// Nobody wants to know any more.
    func invalidate()
    /// Tells the observer the results of one page, then finishes exactly once. The first page is nil.
    func enumerateSearchResults(
        for observer: any NSFileProviderSearchEnumerationObserver,
        startingAt page: NSFileProviderPage?)
}
