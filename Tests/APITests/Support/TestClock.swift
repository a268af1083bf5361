import BasketSupport
import Synchronization

/// Time that only a test moves. Whoever looks at it finds it a millisecond later than who looked
/// before, so that no two things happen at once.
final class TestClock: Sendable {
    /// 21 November 2026, half past nine.
    static let start = Timestamp(seconds: 1_795_253_400)

    private struct Sleeper {
        let until: Duration
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var elapsed = Duration.zero
        var nextNumber = 0
        var sleepers: [Int: Sleeper] = [:]
        /// Sleepers that were cancelled before they lay down.
        var cancelled: Set<Int> = []
        var watchers: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    var now: Timestamp {
        state.withLock { state in
            state.elapsed += .milliseconds(1)
            return Self.start + state.elapsed
        }
    }

    var uptime: Duration { state.withLock { $0.elapsed } }

    /// Lets time pass, and wakes whose time has come.
    func advance(_ duration: Duration) {
        let woken = state.withLock { state in
            state.elapsed += duration
            let due = state.sleepers.filter { $0.value.until <= state.elapsed }
            for number in due.keys { state.sleepers[number] = nil }
            return due.values.map(\.continuation)
        }
        for continuation in woken { continuation.resume() }
    }

    func sleep(_ duration: Duration) async throws {
        let number = state.withLock { state in
            state.nextNumber += 1
            return state.nextNumber
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let (isCancelled, watchers) = state.withLock {
                    state -> (Bool, [CheckedContinuation<Void, Never>]) in
                    if state.cancelled.remove(number) != nil { return (true, []) }
                    let until = state.elapsed + duration
                    state.sleepers[number] = Sleeper(until: until, continuation: continuation)
                    defer { state.watchers = [] }
                    return (false, state.watchers)
                }
                if isCancelled { continuation.resume(throwing: CancellationError()) }
                for watcher in watchers { watcher.resume() }
            }
        } onCancel: {
            let sleeper = state.withLock { state in
                let sleeper = state.sleepers.removeValue(forKey: number)
                if sleeper == nil { state.cancelled.insert(number) }
                return sleeper
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Returns as soon as somebody waits for time to pass.
    func somebodySleeps() async {
        await withCheckedContinuation { continuation in
            let isSo = state.withLock { state in
                if state.sleepers.isEmpty { state.watchers.append(continuation) }
                return !state.sleepers.isEmpty
            }
            if isSo { continuation.resume() }
        }
    }
}
