import Foundation

/// Lists the items of one container, page by page, and then what changes in it.
public protocol NSFileProviderEnumerator: NSObjectProtocol {
    /// Nobody will ask any more.
    func invalidate()

    /// Tells the observer the items of one page, then finishes exactly once.
    func enumerateItems(
        for observer: any NSFileProviderEnumerationObserver, startingAt page: NSFileProviderPage)

    /// Tells the observer all changes since an anchor, or the first of them, then finishes exactly once.
    /// The enumerator of the working set must implement it; left out, it fails as unsupported.
    func enumerateChanges(
        for observer: any NSFileProviderChangeObserver, from syncAnchor: NSFileProviderSyncAnchor)

    /// The anchor of the present state. Left out, or nil: there is none, and changes cannot be followed.
    func currentSyncAnchor(
        completionHandler: @escaping @Sendable (NSFileProviderSyncAnchor?) -> Void)

    /// The same for callers, and implementers, that prefer to wait. Implement one of the two.
    func currentSyncAnchor() async -> NSFileProviderSyncAnchor?
}

extension NSFileProviderEnumerator {
    public func enumerateChanges(
        for observer: any NSFileProviderChangeObserver, from syncAnchor: NSFileProviderSyncAnchor
    ) {
        observer.finishEnumeratingWithError(CocoaError(.featureUnsupported))
    }

    public func currentSyncAnchor(
        completionHandler: @escaping @Sendable (NSFileProviderSyncAnchor?) -> Void
    ) {
        completionHandler(nil)
    }

    public func currentSyncAnchor() async -> NSFileProviderSyncAnchor? {
        await Answer.value { currentSyncAnchor(completionHandler: $0) }
    }
}
