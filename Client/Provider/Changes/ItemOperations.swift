import BasketConnection
import BasketContent
import BasketModels

/// The server's operations on single items, gathered into batches.
struct ItemOperations: Sendable {
    let session: ProviderSession
    private let changes: OperationBatcher
    /// On a slow line contents take their time, and nothing else is to wait for them.
    private let contents: OperationBatcher

    init(_ session: ProviderSession) {
        self.session = session
        let send: OperationBatcher.Send = { operations in
            try await session.call {
                try await $0.batch(BatchRequest(operations: operations), in: $1, isKeyed: false)
            }
        }
        changes = OperationBatcher(calls: session.calls, send: send)
        contents = OperationBatcher(calls: session.calls, send: send)
    }

    /// What became of a change.
    struct Outcome: Sendable {
        let item: ItemInfo
        /// Whether it was made just now, and not before.
        let isNew: Bool
    }

    /// What is new has just the bytes that were sent with it: the server names their hash. Asked for again, it is not
    /// new any more, and whatever it has by then is seen to.
    func create(_ request: CreateItemRequest) async throws -> Outcome {
        let bytes = (request.content?.bytes.count ?? 0) * 4 / 3 + 1024
        let batcher = request.content == nil ? changes : contents
        let result = try await perform(.create(request), bytes: bytes, batcher)
        let made = Outcome(item: try await item(result), isNew: result.status == 201)
        if made.isNew, let sent = request.content {
            guard made.item.sha256 == ContentHash(of: sent.bytes) else {
                throw ContentUpload.otherBytes
            }
        }
        return made
    }

    /// - Returns: the item as it is afterwards: fields that others have changed meanwhile are theirs.
    func change(_ id: String, _ request: ChangeItemRequest) async throws -> ItemInfo {
        let bytes = request.metadata.xattrs.values.reduce(1024) {
            $0 + ($1?.bytes.count ?? 0) * 4 / 3
        }
        return try await item(perform(.change(item: id, request), bytes: bytes))
    }

    func delete(_ id: String, base: Version?, recursive: Bool) async throws {
        _ = try await perform(.delete(item: id, base: base, recursive: recursive), bytes: 256)
    }

    func trash(_ id: String) async throws -> ItemInfo {
        try await item(perform(.trash(item: id, TrashRequest()), bytes: 256))
    }

    private func perform(
        _ operation: BatchOperation, bytes: Int, _ batcher: OperationBatcher? = nil
    ) async throws -> BatchAnswer.Result {
        let result = try await (batcher ?? changes).perform(operation, bytes: bytes)
        if let problem = result.problem {
            let error = ConnectionError.problem(problem)
            session.note(error)
            throw error
        }
        guard (200..<300).contains(result.status) else {
            throw ConnectionError.badAnswer("an operation ended with \(result.status)")
        }
        return result
    }

    /// A long answer tells of its last items only which they are.
    private func item(_ result: BatchAnswer.Result) async throws -> ItemInfo {
        if let item = result.body?.item { return item }
        guard let id = result.id else {
            throw ConnectionError.badAnswer("the result of an operation names no item")
        }
        return try await session.call { try await $0.item(id, in: $1) }
    }
}
