import FileProvider
import Foundation
import Synchronization

/// Hears of one page of a search, and holds the extension to the limits.
final class SearchCollector: NSObject, NSFileProviderSearchEnumerationObserver {
    struct Page: Sendable {
        var items: [FoundItem] = []
        var next: NSFileProviderPage?
    }

    let maximumNumberOfResultsPerPage: Int
    let once = Once<Page>()
    private let page = Mutex(Page())

    init(upTo limit: Int) {
        maximumNumberOfResultsPerPage = limit
    }

    func didEnumerate(_ searchResults: [any NSFileProviderSearchResult]) {
        let items = searchResults.map(FoundItem.init)
        guard !items.contains(where: \.identifier.rawValue.isEmpty) else {
            return once.answer(.failure(HostError.badItem("an item has no identifier")))
        }
        let count = page.withLock { page in
            page.items += items
            return page.items.count
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
        if let nextPage, nextPage.rawValue.count > NSFileProviderPage.mostBytes {
            return once.answer(
                .failure(
                    HostError.badEnumeration(
                        "a page's name has \(nextPage.rawValue.count) bytes")))
        }
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
