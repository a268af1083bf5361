import BasketModels

/// What listeners are told of, after it was committed.
package enum StoreEvent: Equatable, Sendable {
    /// The domain's feed has moved on.
    case changed(domain: Int64, Anchor)
    /// Somebody took or gave up a lock.
    case locked(domain: Int64, ItemID)
    /// What the account may see has changed: a domain came, went, or was renamed.
    case membership(account: Int64)
    /// The device may no longer ask for anything.
    case revoked(device: Int64, account: Int64)
    /// The account's password, role or state has changed.
    case accountChanged(Int64)
    /// The server stops: nobody should wait for anything else.
    case stopping
}
