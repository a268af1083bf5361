/// How often a process has ended lately, and what follows from that.
struct DeathCount {
    /// Older ones are forgotten.
    private static let memory = Duration.seconds(120)
    /// So many are followed by the next process at once.
    private static let free = 3
    private static let firstPause = Duration.milliseconds(100)
    private static let longestPause = Duration.seconds(5)
    private static let most = 24

    private var deaths: [Duration] = []

    mutating func note(at now: Duration) {
        deaths = deaths.filter { now - $0 < Self.memory } + [now]
    }

    /// How long the next one is not started yet.
    var pause: Duration? {
        let count = deaths.count - Self.free
        guard count > 0 else { return nil }
        return min(Self.longestPause, Self.firstPause * (1 << min(count - 1, 16)))
    }

    /// Now and then, of a process that dies again and again.
    var areTooMany: Bool { !deaths.isEmpty && deaths.count.isMultiple(of: Self.most) }
}
