import BasketSupport

/// When a call that failed is tried again. Every call can be: those that change something bear a key.
package struct RetryPolicy: Sendable {
    /// The first one counts.
    package var mostAttempts: Int
    /// No attempt begins after this much of a call.
    package var time: Duration
    package var shortestWait: Duration
    package var longestWait: Duration

    package init(
        mostAttempts: Int = 5, time: Duration = .seconds(120),
        shortestWait: Duration = .milliseconds(200), longestWait: Duration = .seconds(10)
    ) {
        self.mostAttempts = mostAttempts
        self.time = time
        self.shortestWait = shortestWait
        self.longestWait = longestWait
    }

    /// How long to wait after so many failures. Jittered: a crowd of clients that lost the server
    /// together must not come back together.
    func wait(afterFailures count: Int, random: UInt64) -> Duration {
        let ceiling = min(longestWait, shortestWait * (1 << min(count - 1, 20)))
        return ceiling / 2 + ceiling / 2 * (Double(random >> 11) / Double(1 << 53))
    }
}
