import BasketModels

/// What is known of an item beside what the server's lists say of it.
struct ItemMarks: Sendable, Equatable {
    /// Kept downloaded on this device.
    var isPinned = false
    /// Who has it open, as far as was heard.
    var locks: [LockInfo] = []
    /// What the server calls this device.
    var device = ""

    var isLockedHere: Bool { locks.contains { $0.device == device } }

    /// Somebody else's lock.
    var otherLock: LockInfo? { locks.first { $0.device != device } }
}
