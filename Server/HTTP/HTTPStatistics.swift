/// What a server has done so far, for metrics.
package struct HTTPStatistics: Sendable, Equatable {
    package var openConnections: Int
    package var openStreams: Int
    package var activeRequests: Int
    /// Finished requests by the first digit of their status, from 1 to 5; 0 for those whose client went
    /// away before an answer.
    package var requests: [Int]
    /// Bodies' bytes, without headers and framing.
    package var receivedBytes: Int64
    package var sentBytes: Int64
    /// How many requests were answered within each of the bounds, but not within the one before; the last
    /// one counts those beyond them. Without endless streams, whose length says nothing.
    package var durations: [Int]
    package var durationSum: Duration

    package static let durationBounds: [Duration] = [
        .milliseconds(1), .microseconds(2500), .milliseconds(5), .milliseconds(10),
        .milliseconds(25), .milliseconds(50), .milliseconds(100), .milliseconds(250),
        .milliseconds(500), .seconds(1), .milliseconds(2500), .seconds(10),
    ]
}
