/// When what could not be looked at is looked at again.
struct LookSchedule {
    /// By the clock that never is set; nil: nothing is owed, as far as anybody knows. An earlier host may have left
    /// something.
    private(set) var next: Duration? = .zero
    private var isLooking = false
    private var failures = 0

    /// Whether somebody looks, or is about to.
    func isActive(at now: Duration) -> Bool { isLooking || isDue(at: now) }

    private func isDue(at now: Duration) -> Bool { next.map { $0 <= now } ?? false }

    /// Something is owed, which need not be looked at before that time.
    mutating func note(at time: Duration) { next = next.map { min($0, time) } ?? time }

    /// - Returns: whether somebody is to look now.
    mutating func begin(at now: Duration) -> Bool {
        guard isDue(at: now) else { return false }
        next = nil
        isLooking = true
        return true
    }

    /// - Parameters:
    ///   - isLeft: whether something is owed still.
    ///   - pause: after so many looks in a row that have left something.
    mutating func end(isLeft: Bool, at now: Duration, pause: (Int) -> Duration) {
        isLooking = false
        failures = isLeft ? failures + 1 : 0
        // More may have come to be owed meanwhile.
        if isLeft { note(at: now + pause(failures)) }
    }
}
