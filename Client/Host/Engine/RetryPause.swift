/// How long what has failed is left alone: twice as long each time, up to a longest time. Jittered, so that what
/// failed together does not come back together.
struct RetryPause: Sendable {
    var first = Duration.seconds(1)
    var longest = Duration.seconds(300)

    /// More of them make it no longer.
    private static let mostDoublings = 12

    /// - Parameters:
    ///   - failures: in a row; one at least.
    ///   - jitter: between zero and one.
    func after(failures: Int, jitter: Double) -> Duration {
        let doublings = min(max(0, failures - 1), Self.mostDoublings)
        return Self.jittered(min(first * (1 << doublings), longest), by: jitter)
    }

    /// Between half of it and all of it.
    static func jittered(_ pause: Duration, by jitter: Double) -> Duration {
        pause / 2 + pause / 2 * jitter
    }
}
