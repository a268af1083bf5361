import BasketSupport

/// Somebody has the item open. It refuses nobody anything; it lets people know.
package struct ItemLock: Sendable, Equatable {
    package let account: String
    package let device: String
    package let deviceNumber: Int64
    package let note: String
    package let since: Timestamp
    package let expires: Timestamp
}
