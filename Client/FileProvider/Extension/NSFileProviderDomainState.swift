import Foundation

/// An extension that tells which state of the domain was seen when something changed.
public protocol NSFileProviderDomainState: NSObjectProtocol {
    /// Read whenever a call completes and a working set enumeration finishes. It only grows.
    var domainVersion: NSFileProviderDomainVersion { get }
    /// State for predicates, as `domainUserInfo`: strings, numbers, dates and names of people. Another one
    /// needs another version.
    var userInfo: [AnyHashable: Any] { get }
}
