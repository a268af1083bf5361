import BasketConnection
import BasketModels
import Synchronization

/// Gathers small changes: those that come while others are on their way go together in the next request. One
/// alone goes at once; ten thousand are a few dozen requests, and as many commits on the server.
///
/// Each operation can be sent twice by itself, so a batch needs no key: creations bear one, a change names
/// its base, and what is deleted is deleted.
final class OperationBatcher: Sendable {
    typealias Result = Swift.Result<BatchAnswer.Result, any Error>
    typealias Send = @Sendable ([BatchOperation]) async throws -> BatchAnswer

    private struct Waiting {
        let number: Int
        let operation: BatchOperation
        let bytes: Int
    }

    private struct State {
        var queue: [Waiting] = []
        /// Who waits, for operations in the queue and on their way.
        var answers: [Int: CheckedContinuation<Result, Never>] = [:]
        var last = 0
        var senders = 0
    }

    /// The server stops telling of items at four mebibytes.
    private static let mostBytes = 4 << 20
    /// While one batch is written to the server's disk, the next is made and read.
    private static let mostSenders = 2

    private let state = Mutex(State())
    private let calls: CallRegistry
    private let send: Send

    init(calls: CallRegistry, send: @escaping Send) {
        self.calls = calls
        self.send = send
    }

    /// - Parameter bytes: about how long the operation is in a request.
    func perform(_ operation: BatchOperation, bytes: Int = 0) async throws -> BatchAnswer.Result {
        let number = state.withLock { state in
            state.last += 1
            return state.last
        }
        return try await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let begins = state.withLock { state in
                    guard !Task.isCancelled else { return nil as Bool? }
                    state.answers[number] = continuation
                    state.queue.append(
                        Waiting(number: number, operation: operation, bytes: bytes))
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

    private func run() async {
        while let batch = next() {
            let results = await results(of: batch)
            for (waiting, result) in zip(batch, results) { settle(waiting.number, result) }
        }
    }

    /// What goes next; nil, and one sender less, when nothing waits.
    private func next() -> [Waiting]? {
        state.withLock { state in
            var count = 0
            var bytes = 0
            while count < min(state.queue.count, BatchRequest.mostOperations) {
                bytes += state.queue[count].bytes
                if bytes > Self.mostBytes, count > 0 { break }
                count += 1
            }
            guard count > 0 else {
                state.senders -= 1
                return nil
            }
            defer { state.queue.removeFirst(count) }
            return Array(state.queue.prefix(count))
        }
    }

    private func results(of batch: [Waiting]) async -> [Result] {
        do {
            return try await send(batch.map(\.operation)).results.map { .success($0) }
        } catch let error as ConnectionError {
            // One operation that the server cannot read has all of them refused: each is to stand for itself.
            guard batch.count > 1, case .problem(let problem) = error,
                [400, 413, 422].contains(problem.status)
            else { return batch.map { _ in .failure(error) } }
            let half = batch.count / 2
            let first = await results(of: Array(batch[..<half]))
            return first + (await results(of: Array(batch[half...])))
        } catch {
            return batch.map { _ in .failure(error) }
        }
    }

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
