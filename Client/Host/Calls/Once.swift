import FileProvider
import Foundation
import Synchronization

/// The first answer of a call counts: extensions call handlers twice, or after they were cancelled.
final class Once<Value: Sendable>: WatchedCall {
    private struct State {
        var continuation: CheckedContinuation<Value, any Error>?
        var result: Result<Value, any Error>?
        var progress: Progress?
        var isCancelled = false
        var told: UInt64 = 0
    }

    private let state = Mutex(State())

    func answer(_ result: Result<Value, any Error>) {
        let waiting = state.withLock { state -> CheckedContinuation<Value, any Error>? in
            guard state.result == nil else { return nil }
            state.result = result
            return state.continuation.take()
        }
        waiting?.resume(with: result)
    }

    func wait(_ continuation: CheckedContinuation<Value, any Error>) {
        let result = state.withLock { state in
            if state.result == nil { state.continuation = continuation }
            return state.result
        }
        if let result { continuation.resume(with: result) }
    }

    /// The call has begun; who cancelled it before is obeyed now.
    func began(_ progress: Progress) {
        let isCancelled = state.withLock { state in
            state.progress = progress
            return state.isCancelled
        }
        if isCancelled { progress.cancelAtOnce() }
    }

    /// Something was told, and more is to come.
    func moved() {
        state.withLock { $0.told += 1 }
    }

    var movement: CallMovement {
        let (progress, told) = state.withLock { ($0.progress, $0.told) }
        return CallMovement(
            told: told, completed: progress?.completedUnitCount ?? 0,
            total: progress?.totalUnitCount ?? 0, fraction: progress?.reportedFraction ?? 0)
    }

    /// Whether the extension obeys or not, nobody waits for it any more.
    func cancel() {
        stop()?.cancelAtOnce()
        answer(.failure(CancellationError()))
    }

    func giveUp(_ error: any Error) {
        // What it answers to being cancelled is not what is said.
        answer(.failure(error))
        stop()?.cancelAtOnce()
    }

    private func stop() -> Progress? {
        state.withLock { state in
            state.isCancelled = true
            return state.progress
        }
    }
}
