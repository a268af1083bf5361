import Synchronization

/// Lets so many work at once and no more. Who has much to do gives its turn back now and then, and whoever works waits
/// for nobody else here: so everybody's turn comes.
package final class Turns: Sendable {
    private struct State {
        var free: Int
        var line = WaitingLine<CheckedContinuation<Void, any Error>>()
        var lastNumber: UInt64 = 0
        /// Those who stand in line and can be named.
        var numbers: [Int64: UInt64] = [:]
    }

    private let isLimited: Bool
    private let state: Mutex<State>

    /// - Parameter count: nil for as many as there are.
    package init(_ count: Int?) {
        isLimited = count != nil
        state = Mutex(State(free: count ?? 0))
    }

    /// Does the work when it is its turn. Throws without having done it when the task is cancelled.
    /// - Parameters:
    ///   - isAwaited: whether somebody waits for it, and it goes before what nobody waits for.
    ///   - name: by which it can be hurried, and that nobody else in the line has.
    package func take<Result>(
        isAwaited: Bool = false, as name: Int64? = nil, _ work: () async throws -> Result
    ) async throws -> Result {
        guard isLimited else { return try await work() }
        try await wait(isAwaited, name)
        defer { giveBack() }
        return try await work()
    }

    /// Somebody waits by now for who stands in line under that name.
    package func hurry(_ name: Int64) {
        state.withLock { state in
            if let number = state.numbers[name] { state.line.hurry(number: number) }
        }
    }

    private func wait(_ isAwaited: Bool, _ name: Int64?) async throws {
        let number = state.withLock { state in
            state.lastNumber += 1
            if let name { state.numbers[name] = state.lastNumber }
            return state.lastNumber
        }
        defer {
            if let name { state.withLock { _ = $0.numbers.removeValue(forKey: name) } }
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome: Swift.Result<Void, any Error>? = state.withLock { state in
                    if Task.isCancelled { return .failure(CancellationError()) }
                    guard state.free > 0 else {
                        state.line.join(continuation, number: number, isAwaited: isAwaited)
                        return nil
                    }
                    state.free -= 1
                    return .success(())
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            let waiter = state.withLock { $0.line.leave(number: number) }
            waiter?.resume(throwing: CancellationError())
        }
    }

    /// How many stand in line.
    package var waitingCount: Int { state.withLock { $0.line.count } }

    private func giveBack() {
        let next = state.withLock { state in
            let next = state.line.next()
            if next == nil { state.free += 1 }
            return next
        }
        next?.resume()
    }
}
