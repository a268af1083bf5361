/// How often a process has ended lately, and what follows from that.
struct DeathCount {
    /// Older ones are forgotten.
    private static let memory = Duration.seconds(120)
    /// So many are followed by the next process at once.
    private static let free = 3
    private static let firstPause = Duration.milliseconds(100)
    private static let longestPause = Duration.seconds(5)
    /// For so long programs may wait for one that does not die at once,
    private static let patience = Duration.seconds(60)
    /// while no fewer than so many have.
    private static let many = 8

    private var deaths: [Duration] = []
    /// Since when they have counted for `areTooMany`.
    private var start: Duration?

    mutating func note(at now: Duration) {
        deaths = deaths.filter { now - $0 < Self.memory } + [now]
        if deaths.count == 1 { start = now }
    }

    /// How long the next one is not started yet.
    var pause: Duration? {
        let count = deaths.count - Self.free
        guard count > 0 else { return nil }
        return min(Self.longestPause, Self.firstPause * (1 << min(count - 1, 16)))
    }

    /// Now and then, of a process that dies again and again, however long it lives each time.
    mutating func takeTooMany() -> Bool {
        guard let last = deaths.last, let start, deaths.count >= Self.many,
            last - start >= Self.patience
        else { return false }
        self.start = last
        return true
    }
}
