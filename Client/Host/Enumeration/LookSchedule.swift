/// When what could not be looked at is looked at again.
struct LookSchedule {
    /// By the clock that never is set; nil: nothing is owed, as far as anybody knows. An earlier host may have left
    /// something.
    private(set) var next: Duration? = .zero
    /// How many looks have ended.
    private(set) var ended: UInt64 = 0
    private var isLooking = false
    private var failures = 0
    /// What came while somebody looked: more that is owed, and that all of it is to be looked at again.
    private var hasMore = false
    private var isHurried = false

    /// Whether somebody looks, or is about to.
    func isActive(at now: Duration) -> Bool { isLooking || isDue(at: now) }

    func isDue(at now: Duration) -> Bool { !isLooking && next.map { $0 <= now } ?? false }

    /// Something is owed. What waits for its time already goes on waiting.
    mutating func note(at time: Duration) {
        if isLooking { hasMore = true } else if next == nil { next = time }
    }

    /// What could not be looked at may be now.
    /// - Returns: how many looks have ended when one has that began after this.
    @discardableResult
    mutating func hurry(at now: Duration) -> UInt64 {
        if isLooking { isHurried = true } else { next = now }
        return ended + (isLooking ? 2 : 1)
    }

    /// - Returns: whether somebody is to look now.
    mutating func begin(at now: Duration) -> Bool {
        guard isDue(at: now) else { return false }
        next = nil
        (isLooking, hasMore, isHurried) = (true, false, false)
        return true
    }

    /// - Parameters:
    ///   - isLeft: whether something is owed still.
    ///   - pause: after so many looks in a row that have left something.
    mutating func end(isLeft: Bool, at now: Duration, pause: (Int) -> Duration) {
        isLooking = false
        ended += 1
        failures = isLeft ? failures + 1 : 0
        if isHurried {
            next = now
        } else if isLeft || hasMore {
            next = now + pause(max(1, failures))
        }
    }
}
