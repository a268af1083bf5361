import Synchronization

/// A question that many may have at the same time, and that is asked once: who comes while it is on its way gets the
/// same answer.
final class SharedQuestion<Answer: Sendable>: Sendable {
    /// What those get who wait; nil when they have to ask themselves, because the one who asked has gone.
    private typealias Waiter = CheckedContinuation<Answer?, any Error>

    private struct State {
        var isAsked = false
        var waiting: [(number: UInt64, waiter: Waiter)] = []
        var next: UInt64 = 0
    }

    private let state = Mutex(State())

    func answer(_ ask: () async throws -> Answer) async throws -> Answer {
        while true {
            let isFirst = state.withLock { state in
                defer { state.isAsked = true }
                return !state.isAsked
            }
            if isFirst { return try await self.ask(ask) }
            if let answer = try await wait() { return answer }
        }
    }

    var waitingCount: Int { state.withLock { $0.waiting.count } }

    private func ask(_ ask: () async throws -> Answer) async throws -> Answer {
        let result: Result<Answer, any Error>
        do {
            result = .success(try await ask())
        } catch {
            result = .failure(error)
        }
        let isGone = Task.isCancelled
        let waiting = state.withLock { state in
            defer {
                state.waiting = []
                state.isAsked = false
            }
            return state.waiting
        }
        for (_, waiter) in waiting {
            switch result {
            case .success(let answer): waiter.resume(returning: answer)
            case .failure where isGone: waiter.resume(returning: nil)
            case .failure(let error): waiter.resume(throwing: error)
            }
        }
        return try result.get()
    }

    private func wait() async throws -> Answer? {
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter in
                let outcome: Result<Answer?, any Error>? = state.withLock { state in
                    if Task.isCancelled { return .failure(CancellationError()) }
                    // It has just been answered.
                    guard state.isAsked else { return .success(nil) }
                    state.waiting.append((number, waiter))
                    return nil
                }
                if let outcome { waiter.resume(with: outcome) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.waiting.firstIndex { $0.number == number }
                    .map { state.waiting.remove(at: $0).waiter }
            }
            waiter?.resume(throwing: CancellationError())
        }
    }
}
