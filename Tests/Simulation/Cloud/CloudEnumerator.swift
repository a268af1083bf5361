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

    func invalidate() {
        guard let container, let item = device.cloud.record(container), !item.isFolder else {
            return
        }
        device.network.note(told: "\(item.name) is closed")
    }

    func enumerateItems(
        for observer: any NSFileProviderEnumerationObserver, startingAt page: NSFileProviderPage
    ) {
        let container = container
        if container == nil, page.isInitial { device.network.note(told: "everything") }
        device.answer {
            let cloud = self.device.cloud
            if let container, cloud.record(container)?.name == "unlistable" {
                throw CocoaError(.fileReadCorruptFile)
            }
            if !page.isInitial {
                try self.device.network.requirePage()
                try self.device.forgetsNow(.pageExpired)
            }
            let start = Int(String(decoding: page.rawValue, as: UTF8.self)) ?? 0
            let length = cloud.state.withLock { $0.pageLength }
            // By what never changes, so that nothing is left out that moves between two pages.
            let rest = cloud.state.withLock { state in
                state.items.values.filter { item in
                    item.number > start && (container == nil || item.parent == container)
                }.sorted { $0.number < $1.number }
            }
            let part = rest.prefix(7)
            observer.didEnumerate(part.map { CloudItem($0).shown })
            self.flood(with: part.first) { observer.didEnumerate($0) }
            let isLast = part.count == rest.count
            observer.finishEnumerating(
                upTo: isLast
                    ? nil
                    : part.last.map { last in
                        let digits = "\(last.number)"
                        let zeros = String(
                            repeating: "0", count: max(0, length - digits.utf8.count))
                        return NSFileProviderPage(Data((zeros + digits).utf8))
                    })
        } failed: {
            observer.finishEnumeratingWithError($0)
        }
    }

    func enumerateChanges(
        for observer: any NSFileProviderChangeObserver, from syncAnchor: NSFileProviderSyncAnchor
    ) {
        device.answer(as: "enumeration of changes") {
            try self.device.forgetsNow(.syncAnchorExpired)
            let since = Int(String(decoding: syncAnchor.rawValue, as: UTF8.self)) ?? 0
            let (log, items) = self.device.cloud.state.withLock { state in
                (state.log.filter { $0.rank > since }, state.items)
            }
            // An ancestor that changed later than what is in it comes before it all the same, or does not.
            let isOrderly =
                self.device.happens(oneIn: 2) && self.device.network.companion.tellsAncestors
            var told: Set<String> = []
            func tell(_ id: String) {
                guard let item = items[id], told.insert(id).inserted else { return }
                if isOrderly { tell(item.parent) }
                observer.didUpdate([CloudItem(item).shown])
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
            self.flood(with: items.values.min { $0.number < $1.number }) { observer.didUpdate($0) }
            let anchor = part.last?.rank ?? since
            observer.finishEnumeratingChanges(
                upTo: self.device.cloud.anchor(anchor),
                moreComing: log.count > part.count)
        } failed: {
            observer.finishEnumeratingWithError($0)
        }
    }

    /// Tells the same item again and again, more of them than anybody asked for.
    private func flood(
        with record: Cloud.Record?, _ tell: ([any NSFileProviderItemProtocol]) -> Void
    ) {
        guard let record else { return }
        let item = CloudItem(record).shown
        var left = device.network.companion.flood
        while left > 0 {
            let count = min(left, 1000)
            tell(Array(repeating: item, count: count))
            left -= count
        }
    }

    func currentSyncAnchor(
        completionHandler: @escaping @Sendable (NSFileProviderSyncAnchor?) -> Void
    ) {
        device.network.note(told: "the anchor")
        if device.network.losesAnchor() { return completionHandler(nil) }
        let rank = device.cloud.state.withLock { $0.rank }
        completionHandler(device.cloud.anchor(rank))
    }
}

extension NSFileProviderPage {
    fileprivate var isInitial: Bool {
        self == NSFileProviderPage(Data(referencing: NSFileProviderPage.initialPageSortedByName))
    }
}
