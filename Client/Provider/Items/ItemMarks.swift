import BasketModels

/// What is known of an item beside what the server's lists say of it.
struct ItemMarks: Sendable, Equatable {
    /// Kept downloaded on this device.
    var isPinned = false
    /// Who has it open, as far as was heard.
    var locks: [LockInfo] = []
}
