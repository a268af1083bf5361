import BasketModels

/// What is known of an item beside what the server's lists say of it.
struct ItemMarks: Sendable, Equatable {
    /// Kept downloaded on this device.
    var isPinned = false
    /// Who has it open, as far as was heard.
    var locks: [LockInfo] = []
    /// What people call this device.
    var device = ""
    /// What the server calls it, once that is known. Two machines may have one name.
    var deviceID: String?

    var isLockedHere: Bool { locks.contains(where: isOwn) }

    /// Somebody else's lock.
    var otherLock: LockInfo? { locks.first { !isOwn($0) } }

    func isOwn(_ lock: LockInfo) -> Bool { lock.isOf(device: deviceID, named: device) }
}
