import FileProvider
import FileProviderReplica
import Synchronization

/// What lies before a test in the interactive mode, besides what the replica knows: what the provider has told, and
/// what people wait for. A restart forgets both: the one is told again, and the others are gone.
final class TestingDesk: Sendable {
    private struct Waiter {
        let number: UInt64
        let demand: Demand
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var count: UInt64 = 0
        var tidings: [Tiding] = []
        /// Up to which everything was told, and of what lies here nothing is taken in yet.
        var anchor: [UInt8]?
        /// Whether everything was told since the provider last had something to tell.
        var isFresh = false
        var waiters: [Waiter] = []
    }

    private let state = Mutex(State())

    // MARK: What was told

    var tidings: [Tiding] { state.withLock { $0.tidings } }
    var anchor: [UInt8]? { state.withLock { $0.anchor } }

    func add(_ changes: [ChangeCollector.Batch.Change], upTo anchor: [UInt8]) {
        state.withLock { state in
            for change in changes {
                state.count += 1
                state.tidings.append(Tiding(number: state.count, change: change))
            }
            state.anchor = anchor
        }
    }

    /// What has to be known before the rest of it.
    func addFirst(_ item: RemoteItem) {
        state.withLock { state in
            state.count += 1
            state.tidings.insert(Tiding(number: state.count, change: .updated(item)), at: 0)
        }
    }

    /// - Returns: the anchor, once nothing before it is left.
    func anchor(without number: UInt64) -> [UInt8]? {
        state.withLock { state in
            state.tidings.contains { $0.number != number } ? nil : state.anchor
        }
    }

    func remove(_ isDone: (Tiding) -> Bool) {
        state.withLock { state in
            state.tidings.removeAll(where: isDone)
            if state.tidings.isEmpty { state.anchor = nil }
        }
    }

    func noteEverythingTold() {
        state.withLock { $0.isFresh = true }
    }

    /// - Returns: whether everything was told, and nobody has asked since.
    func takeFreshness() -> Bool {
        state.withLock { state in
            defer { state.isFresh = false }
            return state.isFresh
        }
    }

    // MARK: What is waited for

    var demands: [Demand] { state.withLock { $0.waiters.map(\.demand) } }

    /// Returns when a test has had it done, or throws why it could not be.
    func wait(for demand: Demand, noted: () -> Void) async throws {
        let number = state.withLock { state in
            state.count += 1
            return state.count
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isOver = state.withLock { state in
                    if Task.isCancelled { return true }
                    state.waiters.append(
                        Waiter(number: number, demand: demand, continuation: continuation))
                    return false
                }
                if isOver { continuation.resume(throwing: CancellationError()) } else { noted() }
            }
        } onCancel: {
            answer({ $0.number == number }, .failure(CancellationError()))
        }
    }

    func answer(_ node: NodeID, _ result: Result<Void, any Error>) {
        answer({ $0.demand.node == node }, result)
    }

    private func answer(_ isMeant: (Waiter) -> Bool, _ result: Result<Void, any Error>) {
        let answered = state.withLock { state in
            let answered = state.waiters.filter(isMeant)
            state.waiters.removeAll(where: isMeant)
            return answered
        }
        for waiter in answered { waiter.continuation.resume(with: result) }
    }
}
