import BasketContent
import BasketModels
import FoundationEssentials

/// Reads what a server answered.
package enum AnswerReader {
    package static func read<Answer: Decodable>(
        _ type: Answer.Type, _ bytes: [UInt8]
    ) throws(ConnectionError) -> Answer {
        if let quick = Answer.self as? any QuicklyRead.Type,
            let answer = quick.read(quickly: bytes) as? Answer
        {
            return answer
        }
        do {
            return try JSONDecoder().decode(type, from: Data(bytes))
        } catch let error as DecodingError {
            throw .badAnswer(words(error))
        } catch {
            throw .badAnswer("\(error)")
        }
    }

    /// What an answer that says no comes to.
    package static func refusal(_ head: TransportResponse, _ body: [UInt8]) -> ConnectionError {
        if (300..<400).contains(head.status), head.status != 304 {
            return .badAnswer("it sends elsewhere (status \(head.status)), which is not followed")
        }
        var problem: ServerProblem
        if head.mediaType == "application/problem+json" {
            do {
                problem = try read(ServerProblem.self, body)
            } catch {
                return error
            }
        } else {
            // Something on the way answered, or the server before it came to itself.
            problem = ServerProblem(
                status: head.status, code: "http_\(head.status)",
                title: "The server answered with status \(head.status).")
        }
        problem.status = head.status
        problem.retryAfterSeconds = head[header: "retry-after"].flatMap { text in
            // More than a year is as good as never, and cannot overflow.
            Int64(text).map { min(max(0, $0), 366 * 86_400) }
        }
        return .problem(problem)
    }

    private static func words(_ error: DecodingError) -> String {
        switch error {
        case .dataCorrupted(let context): words(context.codingPath, context.debugDescription)
        case .keyNotFound(let key, let context): words(context.codingPath + [key], "it is missing")
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            words(context.codingPath, "it is of another kind")
        @unknown default: "it is no JSON of ours"
        }
    }

    private static func words(_ path: [any CodingKey], _ reason: String) -> String {
        let field = path.map { key in key.intValue.map { "\($0)" } ?? key.stringValue }
            .joined(separator: ".")
        return field.isEmpty ? reason : "“\(field)”: \(reason)"
    }
}
