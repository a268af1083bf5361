import FileProvider
import FileProviderReplica
import Foundation
import Synchronization

/// Hears of one page of an enumeration, and holds the extension to the limits.
final class PageCollector: NSObject, NSFileProviderEnumerationObserver {
    struct Page: Sendable {
        var items: [RemoteItem] = []
        /// Why some that were told are not among them.
        var refused: [HostError] = []
        var next: NSFileProviderPage?
    }

    private let page = Mutex(Page())
    private let once = Once<Page>()
    private let size: Int

    /// So many times the suggested size is the most that is taken.
    private static let patience = 100

    init(suggesting size: Int) {
        self.size = size
    }

    @_disfavoredOverload var suggestedPageSize: Int { size }

    func didEnumerate(_ updatedItems: [any NSFileProviderItemProtocol]) {
        // Who holds to no limit is not listened to any more.
        guard page.withLock({ $0.items.count + $0.refused.count }) <= size * Self.patience else {
            return
        }
        var refused: [HostError] = []
        let items = ItemReader.readAll(updatedItems, refused: &refused)
        let left = refused
        let count = page.withLock { page in
            page.items += items
            page.refused += left
            return page.items.count + page.refused.count
        }
        once.moved()
        if count > size * Self.patience {
            once.answer(
                .failure(
                    HostError.badEnumeration(
                        "a page has more than \(size * Self.patience) items")))
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

    /// One page of an enumerator's.
    static func page(
        of enumerator: any NSFileProviderEnumerator, from page: NSFileProviderPage,
        suggesting size: Int, _ calls: ExtensionCalls
    ) async throws -> Page {
        let collector = PageCollector(suggesting: size)
        let answer = try await calls.answer(to: collector.once) {
            enumerator.enumerateItems(for: collector, startingAt: page)
        }
        calls.note(answer.refused)
        return answer
    }
}
