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
}
