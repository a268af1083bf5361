import BasketConnection
import BasketModels

/// Gathers small changes: ten thousand are a few dozen requests, and as many commits on the server.
///
/// Each operation can be sent twice by itself, so a batch needs no key: creations bear one, a change names
/// its base, and what is deleted is deleted.
struct OperationBatcher: Sendable {
    typealias Result = Swift.Result<BatchAnswer.Result, any Error>
    typealias Send = @Sendable ([BatchOperation]) async throws -> BatchAnswer

    /// The server stops telling of items at four mebibytes.
    private static let mostBytes = 4 << 20
    /// While one batch is written to the server's disk, the next is made and read.
    private static let mostSenders = 2

    private let batcher: Batcher<BatchOperation, BatchAnswer.Result>

    init(calls: CallRegistry, send: @escaping Send) {
        batcher = Batcher(
            .init(
                batches: Self.mostSenders, elements: BatchRequest.mostOperations,
                bytes: Self.mostBytes),
            calls: calls
        ) { operations, settle in
            let results = await Self.results(of: operations, send)
            for (place, result) in zip(operations.indices, results) { settle(place, result) }
        }
    }

    /// - Parameter bytes: about how long the operation is in a request.
    func perform(_ operation: BatchOperation, bytes: Int = 0) async throws -> BatchAnswer.Result {
        try await batcher.perform(operation, bytes: bytes)
    }

    private static func results(of batch: [BatchOperation], _ send: Send) async -> [Result] {
        do {
            return try await send(batch).results.map { .success($0) }
        } catch let error as ConnectionError {
            // One operation that the server cannot read has all of them refused: each is to stand for itself.
            guard batch.count > 1, case .problem(let problem) = error,
                [400, 413, 422].contains(problem.status)
            else { return batch.map { _ in .failure(error) } }
            let half = batch.count / 2
            let first = await results(of: Array(batch[..<half]), send)
            return first + (await results(of: Array(batch[half...]), send))
        } catch {
            return batch.map { _ in .failure(error) }
        }
    }
}
