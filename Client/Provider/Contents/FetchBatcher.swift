import BasketConnection
import BasketModels
import Synchronization

/// Gathers fetches that nobody waits for: those that come while others are on their way go together in the next
/// request. One alone goes at once; ten thousand small files are some dozens of requests.
final class FetchBatcher: Sendable {
    /// Nil for what is to be fetched by itself.
    typealias Result = Swift.Result<SmallContent?, any Error>
    typealias Send =
        @Sendable (
            [ContentsRequest.Wanted], _ each: (Int, ContentsReceiver.Outcome) -> Void
        ) async throws -> Void

    private struct Waiting {
        let number: Int
        let wanted: ContentsRequest.Wanted
    }

    private struct State {
        var queue: [Waiting] = []
        /// Who waits, for contents in the queue and on their way.
        var answers: [Int: CheckedContinuation<Result, Never>] = [:]
        var last = 0
        var senders = 0
    }

    /// So many batches are on their way at once: what comes waits for a part of a round trip at most.
    static let mostSenders = 4

    private let state = Mutex(State())
    private let calls: CallRegistry
    private let send: Send

    init(calls: CallRegistry, send: @escaping Send) {
        self.calls = calls
        self.send = send
    }

    /// - Returns: nil for a content that does not travel with others.
    func fetch(_ wanted: ContentsRequest.Wanted) async throws -> SmallContent? {
        let number = state.withLock { state in
            state.last += 1
            return state.last
        }
        return try await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let begins = state.withLock { state in
                    guard !Task.isCancelled else { return nil as Bool? }
                    state.answers[number] = continuation
                    state.queue.append(Waiting(number: number, wanted: wanted))
                    guard state.senders < Self.mostSenders else { return false }
                    state.senders += 1
                    return true
                }
                guard let begins else {
                    return continuation.resume(returning: .failure(CancellationError()))
                }
                if begins { calls.spawn { await self.run() } }
            }
        } onCancel: {
            cancel(number)
        }.get()
    }

    /// How many stand in line.
    var waiting: Int { state.withLock { $0.queue.count } }

    private func run() async {
        while let batch = next() {
            do {
                try await send(batch.map(\.wanted)) { place, outcome in
                    settle(batch[place].number, Self.result(outcome))
                }
            } catch {
                // Those that have come already are not touched by it.
                for waiting in batch { settle(waiting.number, Self.result(.failure(error))) }
            }
        }
    }

    /// What goes next; nil, and one sender less, when nothing waits.
    private func next() -> [Waiting]? {
        state.withLock { state in
            guard !state.queue.isEmpty else {
                state.senders -= 1
                return nil
            }
            let batch = Array(state.queue.prefix(ContentsRequest.mostContents))
            state.queue.removeFirst(batch.count)
            return batch
        }
    }

    private static func result(_ outcome: Swift.Result<SmallContent, some Error>) -> Result {
        switch outcome {
        case .success(let content): .success(content)
        case .failure(let error):
            if let code = (error as? ConnectionError)?.code, notTogether.contains(code) {
                .success(nil)
            } else {
                .failure(error)
            }
        }
    }

    /// Too long; or more than this server takes at once, or nothing that it knows of at all.
    private static let notTogether: Set = [
        "too_long_for_batch", "bad_field", "body_too_large", "no_such_route", "method_not_allowed",
    ]

    private func settle(_ number: Int, _ result: Result) {
        let continuation = state.withLock { $0.answers.removeValue(forKey: number) }
        continuation?.resume(returning: result)
    }

    private func cancel(_ number: Int) {
        let continuation = state.withLock { state in
            state.queue.removeAll { $0.number == number }
            return state.answers.removeValue(forKey: number)
        }
        continuation?.resume(returning: .failure(CancellationError()))
    }
}
