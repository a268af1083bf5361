import FileProvider
import FileProviderReplica
import Foundation
import Synchronization

/// Hears of one page of an enumeration, and holds the extension to the limits.
final class PageCollector: NSObject, NSFileProviderEnumerationObserver {
    struct Page: Sendable {
        var items: [RemoteItem] = []
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
        do {
            let items = try updatedItems.map { try ItemReader.read($0) }
            let count = page.withLock { page in
                page.items += items
                return page.items.count
            }
            guard count <= size * Self.patience else {
                throw HostError.badEnumeration("a page has more than \(size * Self.patience) items")
            }
        } catch {
            once.answer(.failure(error))
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

    /// One page of an enumerator's.
    static func page(
        of enumerator: any NSFileProviderEnumerator, from page: NSFileProviderPage,
        suggesting size: Int
    ) async throws -> Page {
        try await begin(of: enumerator, from: page, suggesting: size).answer()
    }

    /// Asks for a page, which `answer` waits for.
    static func begin(
        of enumerator: any NSFileProviderEnumerator, from page: NSFileProviderPage,
        suggesting size: Int
    ) -> PageCollector {
        let collector = PageCollector(suggesting: size)
        enumerator.enumerateItems(for: collector, startingAt: page)
        return collector
    }

    func answer() async throws -> Page {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { once.wait($0) }
        } onCancel: { [once] in
            once.cancel()
        }
    }
}
