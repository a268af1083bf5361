import BasketConnection
import Synchronization

/// Gathers what is asked for: what comes while others are on their way goes together in the next batch. One alone
/// goes at once.
final class Batcher<Element: Sendable, Answer: Sendable>: Sendable {
    typealias Outcome = Result<Answer, any Error>
    /// Sends a batch, and says of each by its place what came of it; of the rest, what is thrown did.
    typealias Send =
        @Sendable ([Element], _ settle: @Sendable (Int, Outcome) -> Void) async throws -> Void

    struct Limits: Sendable {
        /// So many batches are on their way at once.
        var batches: Int
        /// So many go together,
        var elements: Int
        /// and no more than so many bytes, but for one alone.
        var bytes = Int.max
        /// Whether a batch is given up that nobody waits for any more.
        var areGivenUp = false
    }

    private struct Waiting {
        let number: Int
        let element: Element
        let bytes: Int
    }

    /// One that is on its way.
    private struct Batch {
        /// Those that somebody still waits for.
        var wanted: Set<Int>
        var work: Int?
    }

    private struct State {
        var queue: [Waiting] = []
        /// Who waits, for what is in the queue and on its way.
        var answers: [Int: CheckedContinuation<Outcome, Never>] = [:]
        var last = 0
        /// By the number of the first of each.
        var batches: [Int: Batch] = [:]

        /// Nobody waits for that one any more.
        /// - Returns: the work of its batch, if nobody waits for any of that now.
        mutating func leave(_ number: Int) -> Int? {
            let first = batches.first { $0.value.wanted.contains(number) }?.key
            guard let first else { return nil }
            batches[first]?.wanted.remove(number)
            return batches[first]?.wanted.isEmpty == true ? batches[first]?.work : nil
        }
    }

    private let state = Mutex(State())
    private let limits: Limits
    private let calls: CallRegistry
    private let send: Send

    init(_ limits: Limits, calls: CallRegistry, send: @escaping Send) {
        self.limits = limits
        self.calls = calls
        self.send = send
    }

    /// - Parameter bytes: about how long it is in a request.
    func perform(_ element: Element, bytes: Int = 0) async throws -> Answer {
        let number = state.withLock { state in
            state.last += 1
            return state.last
        }
        return try await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isCancelled = state.withLock { state in
                    guard !Task.isCancelled else { return true }
                    state.answers[number] = continuation
                    state.queue.append(Waiting(number: number, element: element, bytes: bytes))
                    return false
                }
                if isCancelled {
                    return continuation.resume(returning: .failure(CancellationError()))
                }
                begin()
            }
        } onCancel: {
            cancel(number)
        }.get()
    }

    /// How many stand in line.
    var waiting: Int { state.withLock { $0.queue.count } }

    // MARK: Batches

    private func begin() {
        while let batch = next(), let first = batch.first?.number {
            let work = calls.spawn {
                await self.run(batch)
                self.end(first)
            }
            guard let work else {
                for waiting in batch { settle(waiting.number, .failure(CancellationError())) }
                return end(first)
            }
            let isUnwanted = state.withLock { state in
                state.batches[first]?.work = work
                return state.batches[first]?.wanted.isEmpty == true
            }
            if isUnwanted, limits.areGivenUp { calls.cancel(work) }
        }
    }

    /// What goes next; nil when nothing waits, or enough is on its way.
    private func next() -> [Waiting]? {
        state.withLock { state in
            guard state.batches.count < limits.batches else { return nil }
            var count = 0
            var bytes = 0
            while count < min(state.queue.count, limits.elements) {
                bytes += state.queue[count].bytes
                if bytes > limits.bytes, count > 0 { break }
                count += 1
            }
            guard count > 0 else { return nil }
            let batch = Array(state.queue.prefix(count))
            state.queue.removeFirst(count)
            state.batches[batch[0].number] = Batch(wanted: Set(batch.map(\.number)))
            return batch
        }
    }

    private func run(_ batch: [Waiting]) async {
        do {
            try await send(batch.map(\.element)) { place, outcome in
                settle(batch[place].number, outcome)
            }
            // An answer that is too short leaves nobody waiting.
            let missing = ConnectionError.badAnswer("an answer to many says nothing of some")
            for waiting in batch { settle(waiting.number, .failure(missing)) }
        } catch {
            // Those that have come already are not touched by it.
            for waiting in batch { settle(waiting.number, .failure(error)) }
        }
    }

    private func end(_ first: Int) {
        state.withLock { _ = $0.batches.removeValue(forKey: first) }
        begin()
    }

    // MARK: Who waits

    private func settle(_ number: Int, _ outcome: Outcome) {
        let continuation = state.withLock { state in
            _ = state.leave(number)
            return state.answers.removeValue(forKey: number)
        }
        continuation?.resume(returning: outcome)
    }

    private func cancel(_ number: Int) {
        let (continuation, unwanted) = state.withLock { state in
            state.queue.removeAll { $0.number == number }
            return (state.answers.removeValue(forKey: number), state.leave(number))
        }
        continuation?.resume(returning: .failure(CancellationError()))
        if let unwanted, limits.areGivenUp { calls.cancel(unwanted) }
    }
}
