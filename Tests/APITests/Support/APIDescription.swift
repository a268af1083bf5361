import BasketHTTP

@testable import BasketAPI

/// The API as it is described, held against what is asked and answered.
struct APIDescription {
    static let shared = APIDescription()

    let document: JSON
    let schema: JSONSchema

    private init() {
        // A description that is no JSON has no paths; the tests that look for them say so.
        document = (try? JSON(Array(OpenAPIDescription.json.utf8))) ?? .null
        schema = JSONSchema(document: document)
    }

    /// A method and a path.
    struct Operation: Hashable, CustomStringConvertible {
        let method: String
        let path: String

        init(_ method: HTTPMethod, _ pattern: String) {
            self.method = (method == .head ? .get : method).rawValue.lowercased()
            path = pattern.replacing("...}", with: "}")
        }

        init(method: String, path: String) {
            self.method = method
            self.path = path
        }

        var description: String { "\(method.uppercased()) \(path)" }
    }

    var operations: Set<Operation> {
        var found: Set<Operation> = []
        for (path, item) in document["paths"].members {
            for method in item.members.keys where method != "parameters" {
                found.insert(Operation(method: method, path: path))
            }
        }
        return found
    }

    /// Each code, with its status.
    var problems: [String: Int] {
        document["x-problems"].members.compactMapValues { $0["status"].int }
    }

    subscript(operation: Operation) -> JSON {
        document["paths"][operation.path][operation.method]
    }

    // MARK: Requests

    /// What a request that was granted says without its being described.
    func complaints(about request: TestRequest, for operation: Operation) -> [String] {
        var complaints: [String] = []
        let parameters = self.parameters(of: operation)
        for (name, text) in request.query {
            let found = parameters.first { $0["in"] == "query" && $0["name"].text == name }
            guard let found else {
                complaints.append("?\(name) is not described")
                continue
            }
            complaints += self.complaints(about: text, by: found["schema"], at: "?\(name)")
        }
        for (name, _) in request.headers where !Self.commonHeaders.contains(name.lowercased()) {
            let isKnown = parameters.contains {
                $0["in"] == "header" && $0["name"].text.lowercased() == name.lowercased()
            }
            if !isKnown { complaints.append("header \(name) is not described") }
        }
        if let json = request.json {
            let body = media(request.type, in: self[operation]["requestBody"]["content"])
            guard let body else {
                return complaints + ["a body of \(request.type) is not described"]
            }
            complaints += schema.complaints(about: json, by: body["schema"], at: "request")
        }
        return complaints
    }

    private static let commonHeaders: Set = ["accept", "authorization", "content-type"]

    private func parameters(of operation: Operation) -> [JSON] {
        let all =
            document["paths"][operation.path]["parameters"].elements
            + self[operation]["parameters"].elements
        return all.map(schema.resolved)
    }

    /// A parameter is text; its schema may be that of a number or a flag.
    private func complaints(about text: String, by rule: JSON, at place: String) -> [String] {
        switch schema.resolved(rule)["type"].text {
        case "integer":
            guard let number = Int64(text) else { return ["\(place) is no number"] }
            return schema.complaints(about: .integer(number), by: rule, at: place)
        case "boolean":
            return ["true", "false", "1", "0", ""].contains(text) ? [] : ["\(place) is no flag"]
        default: return schema.complaints(about: .string(text), by: rule, at: place)
        }
    }

    // MARK: Answers

    /// What an answer has that is not described.
    func complaints(
        about answer: TestAnswer, to method: HTTPMethod, for operation: Operation?
    ) -> [String] {
        guard let operation else {
            // No route was found, and no more is known than that it is a problem.
            let problem = schema.resolved("#/components/schemas/Problem")
            return schema.complaints(about: answer.json, by: problem)
        }
        let response = schema.resolved(self[operation]["responses"]["\(answer.status)"])
        guard !response.isNull else { return ["status \(answer.status) is not described"] }
        guard !answer.body.isEmpty, method != .head else { return [] }
        guard let media = media(answer.type, in: response["content"]) else {
            return ["\(answer.status) with \(answer.type) is not described"]
        }
        let rule = media["schema"]
        guard !rule.isNull else { return [] }
        switch answer.type {
        case "application/json", "application/problem+json":
            return schema.complaints(about: answer.json, by: rule)
        case "application/x-ndjson":
            return answer.lines.flatMap { schema.complaints(about: $0, by: rule, at: "line") }
        case "application/vnd.basket.contents":
            return answer.contents.flatMap {
                schema.complaints(about: $0.head, by: rule, at: "head")
            }
        case "text/event-stream":
            return TestEvent.all(in: answer.text).filter { !$0.data.isNull }
                .flatMap { schema.complaints(about: $0.data, by: rule, at: $0.name) }
        default: return []
        }
    }

    private func media(_ type: String, in content: JSON) -> JSON? {
        content.members[type] ?? content.members["*/*"]
    }
}
