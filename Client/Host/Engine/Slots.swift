import Synchronization

/// So many of a kind at once; the others wait in the order in which they came.
final class Slots: Sendable {
    private struct Line {
        var free: Int
        var waiting: [(number: UInt64, continuation: CheckedContinuation<Void, any Error>)] = []
    }

    private struct State {
        var lines: [CallCategory: Line]
        var next: UInt64 = 0
    }

    private let state: Mutex<State>

    init(_ settings: HostSettings) {
        var lines: [CallCategory: Line] = [:]
        for category in CallCategory.allCases {
            lines[category] = Line(free: settings.limit(of: category))
        }
        state = Mutex(State(lines: lines))
    }

    /// How many stand in a line.
    func waiting(in category: CallCategory) -> Int {
        state.withLock { $0.lines[category]?.waiting.count ?? 0 }
    }

    func take<Result>(
        _ category: CallCategory, _ work: () async throws -> Result
    ) async throws -> Result {
        try await wait(category)
        defer { giveBack(category) }
        return try await work()
    }

    /// - Parameter category: nil for what has its place already.
    func take<Result>(
        _ category: CallCategory?, _ work: () async throws -> Result
    ) async throws -> Result {
        guard let category else { return try await work() }
        return try await take(category, work)
    }

    private func wait(_ category: CallCategory) async throws {
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome: Swift.Result<Void, any Error>? = state.withLock { state in
                    if Task.isCancelled { return .failure(CancellationError()) }
                    guard (state.lines[category]?.free ?? 0) > 0 else {
                        state.lines[category]?.waiting.append((number, continuation))
                        return nil
                    }
                    state.lines[category]?.free -= 1
                    return .success(())
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            let waiting = state.withLock { state in
                state.lines[category]?.waiting.firstIndex { $0.number == number }
                    .flatMap { state.lines[category]?.waiting.remove(at: $0) }
            }
            waiting?.continuation.resume(throwing: CancellationError())
        }
    }

    private func giveBack(_ category: CallCategory) {
        let next = state.withLock { state -> CheckedContinuation<Void, any Error>? in
            if state.lines[category]?.waiting.isEmpty == false {
                return state.lines[category]?.waiting.removeFirst().continuation
            }
            state.lines[category]?.free += 1
            return nil
        }
        next?.resume()
    }
}
