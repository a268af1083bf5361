import BasketModels
import BasketSupport

/// What is to come back: what a device, or an account, deleted since a moment.
package struct Undeletion: Sendable {
    let since: Timestamp
    let device: Int64?
    let account: Int64?
    /// After which tombstone the search goes on, in the order of the deletions.
    var last: (deleted: Timestamp, id: ItemID)
    /// How many items are back.
    package internal(set) var restored = 0

    /// - Parameters:
    ///   - device: nil for any.
    ///   - account: who deleted; nil for anybody.
    package init(since: Timestamp, device: Int64?, account: Int64?) {
        self.since = since
        self.device = device
        self.account = account
        last = (since, ItemID(rawValue: .min))
    }
}
