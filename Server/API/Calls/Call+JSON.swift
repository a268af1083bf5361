import BasketContent
import BasketHTTP
import BasketModels
import FoundationEssentials

extension Call {
    static let longestJSON = 1 << 20

    /// The request's body as a value, with the bytes that it came in.
    func json<Value: Decodable & Sendable>(
        _ type: Value.Type, upTo limit: Int = longestJSON
    ) async throws -> (value: Value, bytes: [UInt8]) {
        try requireJSON()
        let bytes = try await collectBody(upTo: limit)
        guard bytes.count > Self.longestJSON else { return (try Self.decode(type, bytes), bytes) }
        // Millions of values take seconds: not on the threads that answer everybody.
        return (try await service.aside { try Self.decode(type, bytes) }, bytes)
    }

    /// The same where a missing body means that nothing is said.
    func optionalJSON<Value: Decodable & Sendable>(
        _ type: Value.Type, default standard: Value
    ) async throws -> (value: Value, bytes: [UInt8]) {
        let bytes = try await collectBody(upTo: Self.longestJSON)
        if bytes.isEmpty { return (standard, []) }
        try requireJSON()
        return (try Self.decode(type, bytes), bytes)
    }

    /// A page of another site can have a browser send anything but this type without asking first.
    private func requireJSON() throws {
        let type = request.headers["Content-Type"]?.prefix { $0 != ";" }
        let known = ["application/json", ManifestJSON.mediaType]
        guard let type, known.contains(type.lowercased().replacing(" ", with: "")) else {
            throw Problem(
                415, "not_json", "This takes JSON.",
                detail: "Send Content-Type: application/json; curl does with --json.")
        }
    }

    package static func decode<Value: Decodable>(
        _ type: Value.Type, _ bytes: [UInt8]
    ) throws -> Value {
        do {
            return try JSONDecoder().decode(type, from: Data(bytes))
        } catch let error as DecodingError {
            // What is no JSON at all has no number to find either.
            if case .dataCorrupted(let context) = error, context.codingPath.isEmpty,
                let misfit = MisfitNumber(in: bytes)
            {
                throw Problem.badField(
                    misfit.path.joined(separator: "."), "it must be a whole number of 64 bits")
            }
            throw Problem(error)
        } catch let error as ManifestError {
            throw Problem(422, error.code, "The manifest breaks a rule.", detail: error.message)
                .with(field: "manifest")
        } catch {
            throw Problem(422, "bad_field", "A value is not what it should be.", detail: "\(error)")
        }
    }
}

/// Takes any value, and looks at nothing of it.
private struct Anything: Decodable {
    init(from decoder: any Decoder) {}
}

extension Problem {
    /// Says which field is at fault, and why.
    init(_ error: DecodingError) {
        switch error {
        case .dataCorrupted(let context):
            if context.codingPath.isEmpty {
                self = Problem(
                    400, "bad_json", "The body is not JSON.", detail: context.debugDescription)
            } else {
                self = .badField(context.codingPath, context.debugDescription)
            }
        case .keyNotFound(let key, let context):
            self = .badField(context.codingPath + [key], "it is missing")
        case .typeMismatch(let type, let context):
            if context.codingPath.isEmpty {
                self = Problem(400, "bad_json", "The body must be a JSON object.")
            } else {
                self = .badField(context.codingPath, "it must be \(Self.word(for: type))")
            }
        case .valueNotFound(_, let context) where context.codingPath.isEmpty:
            self = Problem(400, "bad_json", "The body must be a JSON object.")
        case .valueNotFound(let type, let context):
            if context.codingPath.isEmpty {
                self = Problem(400, "bad_json", "The body must be a JSON object.")
            } else {
                self = .badField(
                    context.codingPath, "it must be \(Self.word(for: type)), not null")
            }
        @unknown default:
            self = Problem(400, "bad_json", "The body is not what it should be.")
        }
    }

    private static func badField(_ path: [any CodingKey], _ reason: String) -> Problem {
        let field = path.map { key in key.intValue.map { "\($0)" } ?? key.stringValue }
            .joined(separator: ".")
        return badField(field, reason)
    }

    fileprivate static func badField(_ field: String, _ reason: String) -> Problem {
        Problem(422, "bad_field", "“\(field)” cannot be this.", detail: reason)
            .with(field: field)
    }

    private static func word(for type: any Any.Type) -> String {
        switch type {
        case is String.Type: "text"
        case is Bool.Type: "true or false"
        case is any BinaryInteger.Type: "a whole number"
        case is any FloatingPoint.Type: "a number"
        case is [Any].Type: "a list"
        case is [String: Any].Type: "an object"
        default: "of another kind"
        }
    }
}
