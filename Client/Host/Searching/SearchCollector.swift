import FileProvider
import Foundation
import Synchronization

/// Hears of one page of a search, and holds the extension to the limits.
final class SearchCollector: NSObject, NSFileProviderSearchEnumerationObserver {
    struct Page: Sendable {
        var items: [FoundItem] = []
        /// Why some that were told are not among them.
        var refused: [HostError] = []
        var next: NSFileProviderPage?
    }

    let maximumNumberOfResultsPerPage: Int
    let once = Once<Page>()
    private let page = Mutex(Page())

    init(upTo limit: Int) {
        maximumNumberOfResultsPerPage = limit
    }

    func didEnumerate(_ searchResults: [any NSFileProviderSearchResult]) {
        let found = searchResults.map(FoundItem.init)
        let items = found.filter { !$0.identifier.rawValue.isEmpty }
        let refused = (items.count..<found.count).map { _ in
            HostError.badItem("an item has no identifier")
        }
        let count = page.withLock { page in
            page.items += items
            page.refused += refused
            return page.items.count + page.refused.count
        }
        once.moved()
        if count > maximumNumberOfResultsPerPage {
            once.answer(
                .failure(
                    HostError.badEnumeration(
                        "a page of a search has more than \(maximumNumberOfResultsPerPage) results"
                    )))
        }
    }

    func finishEnumerating(upTo nextPage: NSFileProviderPage?) {
        if let error = HostError.fault(in: nextPage) { return once.answer(.failure(error)) }
        once.answer(
            .success(
                page.withLock { page in
                    page.next = nextPage
                    return page
                }))
    }

    func finishEnumeratingWithError(_ error: any Error) {
        once.answer(.failure(error))
    }
}
