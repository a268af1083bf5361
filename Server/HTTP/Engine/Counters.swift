import Synchronization

/// The numbers behind `HTTPStatistics`, touched by every worker.
final class Counters: Sendable {
    let connections = Atomic(0)
    let streams = Atomic(0)
    let active = Atomic(0)
    let receivedBytes = Atomic<Int64>(0)
    let sentBytes = Atomic<Int64>(0)
    let durations = DurationCounts()
    private let aborted = Atomic(0)
    private let informational = Atomic(0)
    private let successful = Atomic(0)
    private let redirected = Atomic(0)
    private let refused = Atomic(0)
    private let failed = Atomic(0)

    func count(status: Int?) {
        switch status.map({ $0 / 100 }) {
        case 1: informational.add(1, ordering: .relaxed)
        case 2: successful.add(1, ordering: .relaxed)
        case 3: redirected.add(1, ordering: .relaxed)
        case 4: refused.add(1, ordering: .relaxed)
        case nil: aborted.add(1, ordering: .relaxed)
        default: failed.add(1, ordering: .relaxed)
        }
    }

    var snapshot: HTTPStatistics {
        HTTPStatistics(
            openConnections: connections.load(ordering: .relaxed),
            openStreams: streams.load(ordering: .relaxed),
            activeRequests: active.load(ordering: .relaxed),
            requests: [
                aborted.load(ordering: .relaxed), informational.load(ordering: .relaxed),
                successful.load(ordering: .relaxed), redirected.load(ordering: .relaxed),
                refused.load(ordering: .relaxed), failed.load(ordering: .relaxed),
            ],
            receivedBytes: receivedBytes.load(ordering: .relaxed),
            sentBytes: sentBytes.load(ordering: .relaxed),
            durations: durations.snapshot,
            durationSum: durations.sum)
    }
}
