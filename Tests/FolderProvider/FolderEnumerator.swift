import FileProvider
import Foundation

/// Tells everything that lies in the served folder, and what has changed there.
package final class FolderEnumerator: NSObject, NSFileProviderEnumerator, Sendable {
    private let look: @Sendable () -> FolderListing

    package init(_ look: @escaping @Sendable () -> FolderListing) {
        self.look = look
    }

    package func invalidate() {}

    package func enumerateItems(
        for observer: any NSFileProviderEnumerationObserver, startingAt page: NSFileProviderPage
    ) {
        observer.didEnumerate(look().changed(since: 0).there.map { FolderItem($0) })
        observer.finishEnumerating(upTo: nil)
    }

    package func enumerateChanges(
        for observer: any NSFileProviderChangeObserver, from syncAnchor: NSFileProviderSyncAnchor
    ) {
        let listing = look()
        let since = Int(String(decoding: syncAnchor.rawValue, as: UTF8.self)) ?? 0
        let (there, gone) = listing.changed(since: since)
        observer.didUpdate(there.map { FolderItem($0) })
        observer.didDeleteItems(withIdentifiers: gone)
        observer.finishEnumeratingChanges(upTo: listing.anchor, moreComing: false)
    }

    package func currentSyncAnchor(
        completionHandler: @escaping @Sendable (NSFileProviderSyncAnchor?) -> Void
    ) {
        completionHandler(look().anchor)
    }
}

extension FolderListing {
    fileprivate var anchor: NSFileProviderSyncAnchor {
        NSFileProviderSyncAnchor(Data("\(rank)".utf8))
    }
}
