import FileProvider
import Foundation
import Synchronization

/// Remembers the names that it hears of, and hands them on at the end; or the error.
final class CollectingObserver: NSObject, NSFileProviderEnumerationObserver,
    NSFileProviderChangeObserver
{
    private let names = Mutex<[String]>([])
    private let finish: @Sendable ([String]) -> Void

    init(finish: @escaping @Sendable ([String]) -> Void) {
        self.finish = finish
    }

    func didEnumerate(_ updatedItems: [any NSFileProviderItemProtocol]) {
        let heard = updatedItems.map(\.filename)
        names.withLock { $0 += heard }
    }

    func finishEnumerating(upTo nextPage: NSFileProviderPage?) {
        finish(names.withLock { $0 })
    }

    func didUpdate(_ updatedItems: [any NSFileProviderItemProtocol]) {
        didEnumerate(updatedItems)
    }

    func didDeleteItems(withIdentifiers deletedItemIdentifiers: [NSFileProviderItemIdentifier]) {}

    func finishEnumeratingChanges(upTo anchor: NSFileProviderSyncAnchor, moreComing: Bool) {
        finish(names.withLock { $0 })
    }

    func finishEnumeratingWithError(_ error: any Error) {
        let error = error as NSError
        finish(["\(error.domain) \(error.code)"])
    }
}
