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
        var operations: [(BatchOperation, Result<StagedContent?, any Error>)] = []
        for operation in request.operations {
            operations.append((operation, await content(of: operation, for: call)))
        }
        let prepared = operations
        do {
            return try await call.changeDomain(bytes) { transaction, domain in
                var results: [[UInt8]] = []
                var failures: [[UInt8]?] = []
                for (operation, content) in prepared {
                    do {
                        let result = try transaction.attempt {
                            try perform(operation, try content.get(), transaction, domain)
                        }
                        results.append(result)
                        failures.append(nil)
                    } catch {
                        let failure = try failure(error, transaction, domain)
                        results.append(failure)
                        failures.append(failure)
                    }
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

    /// The members of an operation's result: its status, and what the single request answers.
    private static func perform(
        _ operation: BatchOperation, _ content: StagedContent?, _ transaction: Transaction,
        _ domain: Domain
    ) throws -> [UInt8] {
        switch operation {
        case .create(let request):
            return result(
                201, try ItemOperations.create(request, content: content, transaction, domain))
        case .change(let item, let request):
            return result(200, try ItemOperations.change(item, request, transaction, domain))
        case .delete(let item, let base, let recursive):
            try transaction.delete(item, base: base, recursive: recursive, in: domain)
            return result(204, nil)
        case .trash(let name, let request):
            let item = try transaction.db.item(name, in: domain)
            try transaction.trash(item.id, base: request.base, in: domain)
            return result(200, try ItemOperations.answer(item.id, transaction, domain))
        case .restore(let name, let request):
            let item = try transaction.db.item(name, in: domain)
            let folder = try request.parent.map { try transaction.db.item($0, in: domain).id }
            try transaction.restore(item.id, to: folder, name: request.name, in: domain)
            return result(200, try ItemOperations.answer(item.id, transaction, domain))
        }
    }

    private static func result(_ status: Int, _ answer: [UInt8]?) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.key("status")
            writer.number(status)
            if let answer {
                writer.key("body")
                writer.json(Array(answer.dropLast()))  // Without its line break.
            }
        }
        return writer.bytes
    }

    /// What failed by the sender's doing is a result; a broken disk ends the batch.
    private static func failure(
        _ error: any Error, _ transaction: Transaction, _ domain: Domain
    ) throws -> [UInt8] {
        var problem: Problem
        switch error {
        case let error as StoreError:
            problem = Problem(error)
            // An item that is gone by now is no reason to end the batch.
            problem.item = error.subject.flatMap {
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
