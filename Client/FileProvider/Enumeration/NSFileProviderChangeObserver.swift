import Foundation

/// Hears of changes. The system implements it, and may be called from any thread.
public protocol NSFileProviderChangeObserver: NSObjectProtocol, Sendable {
    /// Items that are new or different.
    func didUpdate(_ updatedItems: [any NSFileProviderItemProtocol])
    /// Items that are gone. It does no harm to name one that nobody knows.
    func didDeleteItems(withIdentifiers deletedItemIdentifiers: [NSFileProviderItemIdentifier])
    /// Everything up to the anchor has been told. If there is more, the system asks again at once.
    func finishEnumeratingChanges(upTo anchor: NSFileProviderSyncAnchor, moreComing: Bool)
    func finishEnumeratingWithError(_ error: any Error)
    /// How many changes a batch should have. More than a hundred times as many are refused.
    @_disfavoredOverload var suggestedBatchSize: Int { get }
}

extension NSFileProviderChangeObserver {
    /// What the system takes when it wants nothing in particular.
    @_disfavoredOverload public var suggestedBatchSize: Int { 200 }
}

/// Reading through the protocol gives an `Optional`, as on Apple's systems; there is always a value here.
extension NSObjectProtocol where Self: NSFileProviderChangeObserver {
    public var suggestedBatchSize: Int? {
        let size: Int = self.suggestedBatchSize
        return size
    }
}
