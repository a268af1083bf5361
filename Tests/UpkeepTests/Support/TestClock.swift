import BasketSupport
import Synchronization

/// A clock that stands until it is moved, and randomness from a seed.
final class TestClock: Sendable {
    private struct State {
        var now = Timestamp(seconds: 1_800_000_000)
        var uptime = Duration.seconds(1000)
        var generator: SeededGenerator
    }

    private let state: Mutex<State>

    init(seed: UInt64) {
        state = Mutex(State(generator: SeededGenerator(seed: seed)))
    }

    var now: Timestamp { state.withLock { $0.now } }

    func advance(_ duration: Duration) {
        state.withLock { state in
            state.now = state.now + duration
            state.uptime += duration
        }
    }

    func set(_ now: Timestamp) {
        state.withLock { $0.now = now }
    }

    func world(files: any FileSystem) -> World {
        World(
            now: { self.now }, uptime: { self.state.withLock { $0.uptime } },
            sleep: { _ in try Task.checkCancellation() },
            randomBytes: { count in self.state.withLock { $0.generator.bytes(count) } },
            files: files, log: .silent)
    }
}
