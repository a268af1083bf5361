import FileProvider
import Foundation
import Synchronization

/// Collects what an enumerator tells, and hands it on at the end.
final class Listing: NSObject, NSFileProviderEnumerationObserver, NSFileProviderChangeObserver {
    struct Told: @unchecked Sendable {
        // Unchecked: the items are of a type of the extension's that never changes.
        var items: [any NSFileProviderItemProtocol] = []
        var deleted: [NSFileProviderItemIdentifier] = []
        /// Whether what went was told after what came or changed.
        var hasLateDeletions = false
        var page: NSFileProviderPage?
        var anchor: NSFileProviderSyncAnchor?
        var more = false
    }

    private let told = Mutex(Told())
    private let finish: @Sendable (Result<Told, any Error>) -> Void
    let size: Int

    init(size: Int, finish: @escaping @Sendable (Result<Told, any Error>) -> Void) {
        self.size = size
        self.finish = finish
    }

    var suggestedPageSize: Int { size }
    var suggestedBatchSize: Int { size }

    func didEnumerate(_ updatedItems: [any NSFileProviderItemProtocol]) {
        let part = Told(items: updatedItems)
        told.withLock { $0.items += part.items }
    }

    func didUpdate(_ updatedItems: [any NSFileProviderItemProtocol]) {
        didEnumerate(updatedItems)
    }

    func didDeleteItems(withIdentifiers deletedItemIdentifiers: [NSFileProviderItemIdentifier]) {
        told.withLock { told in
            told.deleted += deletedItemIdentifiers
            told.hasLateDeletions = told.hasLateDeletions || !told.items.isEmpty
        }
    }

    func finishEnumerating(upTo nextPage: NSFileProviderPage?) {
        finish(
            .success(
                told.withLock {
                    $0.page = nextPage
                    return $0
                }))
    }

    func finishEnumeratingChanges(upTo anchor: NSFileProviderSyncAnchor, moreComing: Bool) {
        finish(
            .success(
                told.withLock {
                    $0.anchor = anchor
                    $0.more = moreComing
                    return $0
                }))
    }

    func finishEnumeratingWithError(_ error: any Error) {
        finish(.failure(error))
    }
}
