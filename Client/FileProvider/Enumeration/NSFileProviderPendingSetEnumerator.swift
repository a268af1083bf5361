import Foundation

/// Lists the items with a change that has not reached the other side yet. The system makes it.
public protocol NSFileProviderPendingSetEnumerator: NSFileProviderEnumerator {
    /// The domain's version at the last refresh; nil before the first enumeration.
    var domainVersion: NSFileProviderDomainVersion? { get }
    /// How often the set is brought up to date.
    var refreshInterval: TimeInterval { get }
    /// Whether more items wait than the set holds.
    var isMaximumSizeReached: Bool { get }
}
