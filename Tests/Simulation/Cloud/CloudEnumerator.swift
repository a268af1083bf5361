import FileProvider
import Foundation
import Synchronization

/// Tells the items of the cloud: of a folder, or all of them.
final class CloudEnumerator: NSObject, NSFileProviderEnumerator, Sendable {
    private let device: CloudExtension
    private let container: String?

    init(_ device: CloudExtension, container: String?) {
        self.device = device
        self.container = container
    }

    func invalidate() {}

    func enumerateItems(
        for observer: any NSFileProviderEnumerationObserver, startingAt page: NSFileProviderPage
    ) {
        let container = container
        device.answer {
            let cloud = self.device.cloud
            if !page.isInitial { try self.device.forgetsNow(.pageExpired) }
            let start = Int(String(decoding: page.rawValue, as: UTF8.self)) ?? 0
            // Parents before children.
            let all = cloud.state.withLock { state in
                state.items.values.filter { container == nil || $0.parent == container }
                    .sorted { left, right in
                        let depths = (state.depth(left.id), state.depth(right.id))
                        return depths.0 != depths.1 ? depths.0 < depths.1 : left.id < right.id
                    }
            }
            let part = all.dropFirst(start).prefix(7)
            observer.didEnumerate(part.map { CloudItem($0) })
            let end = start + part.count
            observer.finishEnumerating(
                upTo: end < all.count ? NSFileProviderPage(Data("\(end)".utf8)) : nil)
        } failed: {
            observer.finishEnumeratingWithError($0)
        }
    }

    func enumerateChanges(
        for observer: any NSFileProviderChangeObserver, from syncAnchor: NSFileProviderSyncAnchor
    ) {
        device.answer {
            try self.device.forgetsNow(.syncAnchorExpired)
            let since = Int(String(decoding: syncAnchor.rawValue, as: UTF8.self)) ?? 0
            let (log, items) = self.device.cloud.state.withLock { state in
                (state.log.filter { $0.rank > since }, state.items)
            }
            // An ancestor that changed later than what is in it comes before it all the same.
            var told: Set<String> = []
            func tell(_ id: String) {
                guard let item = items[id], told.insert(id).inserted else { return }
                tell(item.parent)
                observer.didUpdate([CloudItem(item)])
            }
            let part = log.prefix(5)
            for entry in part {
                if items[entry.id] == nil {
                    observer.didDeleteItems(
                        withIdentifiers: [NSFileProviderItemIdentifier(entry.id)])
                } else {
                    tell(entry.id)
                }
            }
            let anchor = part.last?.rank ?? since
            observer.finishEnumeratingChanges(
                upTo: NSFileProviderSyncAnchor(Data("\(anchor)".utf8)),
                moreComing: log.count > part.count)
        } failed: {
            observer.finishEnumeratingWithError($0)
        }
    }

    func currentSyncAnchor(
        completionHandler: @escaping @Sendable (NSFileProviderSyncAnchor?) -> Void
    ) {
        let rank = device.cloud.state.withLock { $0.rank }
        completionHandler(NSFileProviderSyncAnchor(Data("\(rank)".utf8)))
    }
}

extension NSFileProviderPage {
    fileprivate var isInitial: Bool {
        self == NSFileProviderPage(Data(referencing: NSFileProviderPage.initialPageSortedByName))
    }
}

extension Cloud.State {
    func depth(_ id: String) -> Int {
        var depth = 0
        var current = id
        while let item = items[current] {
            depth += 1
            current = item.parent
        }
        return depth
    }
}
