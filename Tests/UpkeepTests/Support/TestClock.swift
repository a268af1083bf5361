import BasketSupport
import Synchronization

/// A clock that stands until it is moved, and wakes those who sleep by it; and randomness from a seed.
final class TestClock: Sendable {
    private struct State {
        var now = Timestamp(seconds: 1_800_000_000)
        var uptime = Duration.seconds(1000)
        var generator: SeededGenerator
        var sleepers: [Int: (until: Duration, continuation: CheckedContinuation<Void, Never>)] = [:]
        var lastSleeper = 0
    }

    private let state: Mutex<State>

    init(seed: UInt64) {
        state = Mutex(State(generator: SeededGenerator(seed: seed)))
    }

    var now: Timestamp { state.withLock { $0.now } }

    /// Returns when what housekeeping does regularly is done, and its next time is waited for: whoever lets time
    /// pass before that measures how busy the machine is.
    func keepersRest() async throws {
        while state.withLock({ $0.sleepers.count }) < Self.keepers {
            try Task.checkCancellation()
            await Task.yield()
        }
    }

    /// One tidies up, one collects.
    private static let keepers = 2

    func advance(_ duration: Duration) {
        let due = state.withLock { state in
            state.now = state.now + duration
            state.uptime += duration
            let due = state.sleepers.filter { $0.value.until <= state.uptime }
            for number in due.keys { state.sleepers[number] = nil }
            return due.values.map(\.continuation)
        }
        for continuation in due { continuation.resume() }
    }

    func set(_ now: Timestamp) {
        state.withLock { $0.now = now }
    }

    func world(files: any FileSystem) -> World {
        World(
            now: { self.now }, uptime: { self.state.withLock { $0.uptime } },
            sleep: { try await self.sleep($0) },
            randomBytes: { count in self.state.withLock { $0.generator.bytes(count) } },
            files: files, log: .silent)
    }

    private func sleep(_ duration: Duration) async throws {
        let number = state.withLock { state in
            state.lastSleeper += 1
            return state.lastSleeper
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    // Asked under the lock: a cancellation after this finds the sleeper.
                    if Task.isCancelled { return true }
                    state.sleepers[number] = (state.uptime + duration, continuation)
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.sleepers.removeValue(forKey: number) }?.continuation.resume()
        }
        try Task.checkCancellation()
    }
}
