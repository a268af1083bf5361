import BasketModels
import BasketSupport

/// What is to come back: what a device, or an account, deleted since a moment.
package struct Undeletion: Sendable {
    let since: Timestamp
    let device: Int64?
    let account: Int64?
    /// What is deleted later stays so, however long this takes.
    let newestRank: Int64
    /// After which tombstone the search goes on, in the order of the deletions.
    var last: (deleted: Timestamp, id: ItemID)
    /// Whether files stay deleted whose names others have by now. Of two that were called the same, the one that was
    /// deleted last comes back then.
    package let skipsReplaced: Bool
    /// How many items are back.
    package internal(set) var restored = 0
    /// How many stay as they are for that reason.
    package internal(set) var skipped = 0

    /// - Parameters:
    ///   - device: nil for any.
    ///   - account: who deleted; nil for anybody.
    ///   - newestRank: that of the newest deletion that may be undone.
    package init(
        since: Timestamp, device: Int64?, account: Int64?, upTo newestRank: Int64 = .max,
        skippingReplaced skipsReplaced: Bool = false
    ) {
        self.since = since
        self.device = device
        self.account = account
        self.newestRank = newestRank
        self.skipsReplaced = skipsReplaced
        last =
            skipsReplaced
            ? (Timestamp(nanoseconds: .max), ItemID(rawValue: .max))
            : (since, ItemID(rawValue: .min))
    }
}
