import BasketSupport

/// Whether a body comes fast enough. Only time in which the server waits for its sender counts.
struct SenderPace {
    private var waitingSince: Duration?
    private var waited = Duration.zero
    private var arrivedBytes = 0

    mutating func wait(from now: Duration) {
        if waitingSince == nil { waitingSince = now }
    }

    mutating func arrived(_ bytes: Int, at now: Duration) {
        pause(at: now)
        arrivedBytes += bytes
    }

    mutating func pause(at now: Duration) {
        guard let since = waitingSince else { return }
        waited += now - since
        waitingSince = nil
    }

    /// Looks at the time since the last judgement, when that was long enough to judge.
    mutating func isTooSlow(at now: Duration, bytesPerSecond: Int, over window: Duration) -> Bool {
        let waiting = waitingSince.map { now - $0 } ?? .zero
        guard waited + waiting >= window else { return false }
        let due = Int64(bytesPerSecond) * (window.wholeNanoseconds / 1_000_000) / 1000
        defer {
            waited = .zero
            arrivedBytes = 0
            if waitingSince != nil { waitingSince = now }
        }
        return Int64(arrivedBytes) < due
    }
}
