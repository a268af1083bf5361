import BasketBlobs
import BasketHTTP
import BasketModels
import BasketStore

/// Many small operations: one round trip, one commit, a result for each.
enum Batch {
    static let endpoints: [Endpoint] = [Endpoint(.post, "/v1/domains/{domain}/batch", run)]

    static let longestBody = 16 << 20

    /// Ends a batch whose operations stand or fall together.
    private struct Undone: Error {
        /// Nil for what had succeeded until then.
        let failures: [[UInt8]?]
    }

    static func run(_ call: Call) async throws -> HTTPResponse {
        let (request, bytes) = try await call.json(BatchRequest.self, upTo: longestBody)
        guard request.operations.count <= BatchRequest.mostOperations else {
            throw StoreError.badField(
                field: "operations", reason: "up to \(BatchRequest.mostOperations) at once")
        }
        let lack = try await lackOfRoom(for: request, bytes.count, call)
        var operations: [(BatchOperation, Result<StagedContent?, any Error>)] = []
        for operation in request.operations {
            if let lack, needsRoom(operation, call) {
                operations.append((operation, .failure(lack)))
            } else {
                operations.append((operation, await content(of: operation, for: call)))
            }
        }
        let prepared = operations
        do {
            return try await call.changeDomain(bytes) { transaction, domain in
                var results: [[UInt8]] = []
                var failures: [[UInt8]?] = []
                var length = 0
                for (operation, content) in prepared {
                    let isFull = length > Items.pageBytes
                    do {
                        let answer = try transaction.attempt {
                            let done = try perform(
                                operation, try content.get(), transaction, domain)
                            return try result(of: done, isFull: isFull, transaction, domain)
                        }
                        results.append(answer)
                        failures.append(nil)
                    } catch  where !Store.isTriedAgain(error) {
                        let failure = try failure(error, isFull: isFull, transaction, domain)
                        results.append(failure)
                        failures.append(failure)
                    }
                    length += results.last?.count ?? 0
                }
                if request.atomic == true, failures.contains(where: { $0 != nil }) {
                    throw Undone(failures: failures)
                }
                return document(results)
            }
        } catch let undone as Undone {
            // Nothing was changed, so there is nothing to remember for a second sending.
            return .json(document(results(of: undone)), status: 409)
        }
    }

    /// Why those operations cannot be done that need room; nil where they can. Those that need none are done all the
    /// same: whoever makes room deletes, among other things.
    /// - Throws: that reason, where nothing could be done.
    private static func lackOfRoom(
        for request: BatchRequest, _ length: Int, _ call: Call
    ) async throws -> Problem? {
        let needy = request.operations.count { needsRoom($0, call) }
        guard needy > 0 else { return nil }
        do {
            try await call.requireRoom(for: length)
            return nil
        } catch BlobError.insufficientStorage
            where request.atomic != true && needy < request.operations.count
        {
            return .diskFull
        }
    }

    /// What makes the database grow; an answer that is kept for a second sending does, too. Deletions make
    /// room, and are done on a full disk as well.
    private static func needsRoom(_ operation: BatchOperation, _ call: Call) -> Bool {
        switch operation {
        case .create: true
        case .change(_, let request):
            !request.metadata.xattrs.isEmpty || call.request.headers["Idempotency-Key"] != nil
        case .trash, .restore: call.request.headers["Idempotency-Key"] != nil
        case .delete: false
        }
    }

    /// What failed tells why; everything else was not done either.
    private static func results(of undone: Undone) -> [[UInt8]] {
        let first = undone.failures.firstIndex { $0 != nil } ?? 0
        let problem = Problem(
            424, "undone", "Not done, because another operation of this batch failed.",
            detail: "operations.\(first) failed; its result says why."
        ).with(field: "operations.\(first)")
        let other = result(of: problem)
        return undone.failures.map { $0 ?? other }
    }

    /// Staged before the commit: a large manifest is verified without holding up the writer.
    private static func content(
        of operation: BatchOperation, for call: Call
    ) async -> Result<StagedContent?, any Error> {
        guard case .create(let request) = operation else { return .success(nil) }
        do {
            return .success(try await ContentIntake.content(of: request, for: call))
        } catch {
            return .failure(error)
        }
    }

    /// What an operation did: its status, and the item that it was done to, with the fields that were
    /// not applied.
    private struct Done {
        let status: Int
        var item: ItemID?
        var refused: [String] = []
    }

    private static func perform(
        _ operation: BatchOperation, _ content: StagedContent?, _ transaction: Transaction,
        _ domain: Domain
    ) throws -> Done {
        switch operation {
        case .create(let request):
            let result = try ItemOperations.create(request, content: content, transaction, domain)
            return Done(
                status: result.isNew ? 201 : 200, item: result.id, refused: result.refused)
        case .change(let item, let request):
            let (id, refused) = try ItemOperations.change(item, request, transaction, domain)
            return Done(status: 200, item: id, refused: refused)
        case .delete(let item, let base, let recursive):
            try transaction.delete(item, base: base, recursive: recursive, in: domain)
            return Done(status: 204)
        case .trash(let name, let request):
            let item = try transaction.db.item(name, in: domain)
            try transaction.trash(item.id, base: request.base, in: domain)
            return Done(status: 200, item: item.id)
        case .restore(let name, let request):
            let item = try transaction.db.item(name, in: domain)
            let folder = try request.parent.map { try transaction.db.item($0, in: domain).id }
            try transaction.restore(item.id, to: folder, name: request.name, in: domain)
            return Done(status: 200, item: item.id)
        }
    }

    /// - Parameter isFull: the answer has grown so long that only the item's identifier has room. An item
    ///   may be long, and a batch may change the same one a thousand times.
    private static func result(
        of done: Done, isFull: Bool, _ transaction: Transaction, _ domain: Domain
    ) throws -> [UInt8] {
        var writer = JSONWriter()
        try writer.object { writer in
            writer.key("status")
            writer.number(done.status)
            guard let item = done.item else { return }
            if isFull {
                writer.key("id")
                writer.string(item.description)
                guard !done.refused.isEmpty else { return }
                writer.key("notApplied")
                writer.array { writer in
                    for field in done.refused { writer.string(field) }
                }
            } else {
                let answer = try ItemOperations.answer(
                    item, refused: done.refused, transaction, domain)
                writer.key("body")
                writer.json(Array(answer.dropLast()))  // Without its line break.
            }
        }
        return writer.bytes
    }

    /// What failed by the sender's doing is a result; a broken disk ends the batch.
    private static func failure(
        _ error: any Error, isFull: Bool, _ transaction: Transaction, _ domain: Domain
    ) throws -> [UInt8] {
        var problem: Problem
        switch error {
        case StoreError.overtaken: throw error  // Another sending of the batch does better.
        case let error as StoreError:
            problem = Problem(error)
            // An item that is gone by now is no reason to end the batch.
            problem.item =
                isFull
                ? nil
                : error.subject.flatMap {
                    try? ItemJSON(domain: domain, db: transaction.db).bytes(of: $0)
                }
        case let error as Problem: problem = error
        default: throw error
        }
        return result(of: problem)
    }

    private static func result(of problem: Problem) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.key("status")
            writer.number(problem.status)
            writer.key("problem")
            writer.object { problem.write(to: &$0, id: nil) }
        }
        return writer.bytes
    }

    private static func document(_ results: [[UInt8]]) -> [UInt8] {
        JSONWriter.document { writer in
            writer.key("results")
            writer.array { writer in
                for result in results { writer.json(result) }
            }
        }
    }
}
