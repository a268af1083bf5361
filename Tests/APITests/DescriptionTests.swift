import BasketHTTP
import FoundationEssentials
import Testing

@testable import BasketAPI

@Suite("The description of the API")
struct DescriptionTests {
    let description = APIDescription.shared

    @Test("has every route of the server, and no other")
    func routes() {
        let served = Service.endpoints(withFaults: true).map {
            APIDescription.Operation($0.method, $0.pattern.description)
        }

        #expect(Set(served).subtracting(description.operations) == [], "not described")
        #expect(description.operations.subtracting(served) == [], "not served")
    }

    @Test("says of each route who may ask", arguments: Service.endpoints(withFaults: true))
    func access(endpoint: Endpoint) {
        let operation = description[
            APIDescription.Operation(endpoint.method, endpoint.pattern.description)]
        let isOpen = !operation["security"].isNull

        #expect(isOpen == (endpoint.access == .open))
        if endpoint.access == .administrator {
            #expect(operation["x-problems"].elements.contains("forbidden"))
        }
    }

    @Test("names every capture of a path", arguments: Service.endpoints(withFaults: true))
    func captures(endpoint: Endpoint) {
        let captured = endpoint.pattern.segments.compactMap { segment -> String? in
            switch segment {
            case .literal: nil
            case .capture(let name), .rest(let name): name
            }
        }
        let path = APIDescription.Operation(endpoint.method, endpoint.pattern.description).path
        let named = description.document["paths"][path]["parameters"].elements
            .map(description.schema.resolved).filter { $0["in"] == "path" }.map { $0["name"].text }

        #expect(captured == named)
    }

    @Test("knows every problem that the sources know, with its status")
    func problems() throws {
        let written = try Self.writtenProblems()

        #expect(written.count > 50, "the sources were not found")
        #expect(written == description.problems)
    }

    @Test("has the routes that the guide tells of, and no other")
    func guidesRoutes() throws {
        let told = try Self.guide().matches(
            of: /`(GET|HEAD|POST|PUT|PATCH|DELETE) (\/[^`? ]+)`/
        ).map { APIDescription.Operation(method: $0.1.lowercased(), path: String($0.2)) }

        #expect(Set(told).subtracting(description.operations) == [], "only in the guide")
        #expect(description.operations.subtracting(told) == [], "not in the guide")
    }

    @Test("has the problems that the guide tells of, and no other")
    func guidesProblems() throws {
        let guide = try Self.guide()
        let untold = description.problems.keys.filter { !guide.contains("`\($0)`") }
        let told = guide.matches(of: /`([a-z]+(?:_[a-z]+)+)`/).map { String($0.1) }

        #expect(untold == [], "not in the guide")
        #expect(Set(told).subtracting(description.problems.keys) == [], "only in the guide")
    }

    private static func guide() throws -> String {
        try String(contentsOfFile: "\(root)/docs/http-api.md", encoding: .utf8)
    }

    private static let root =
        "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

    /// `Problem(409, "name_taken", …` in the API's sources, and the codes of manifests.
    private static func writtenProblems() throws -> [String: Int] {
        func sources(_ folder: String) throws -> [String] {
            let folder = "\(root)/\(folder)"
            return try FileManager.default.subpathsOfDirectory(atPath: folder)
                .filter { $0.hasSuffix(".swift") && !$0.hasPrefix("OpenAPI") }
                .map { try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8) }
        }
        var found: [String: Int] = [:]
        for text in try sources("Server/API") {
            for match in text.matches(of: /Problem\(\s*(\d{3}), "([a-z_]+)"/) {
                found[String(match.2)] = Int(match.1)
            }
            for match in text.matches(of: /\?\? "([a-z_]+)", "A test asked/) {
                found[String(match.1)] = 500
            }
        }
        for text in try sources("Shared/Content") {
            for match in text.matches(of: /: "(manifest_[a-z_]+)"/) { found[String(match.1)] = 422 }
        }
        return found
    }

    @Test("gives no problem to nobody")
    func usedProblems() {
        let given = description.operations.flatMap {
            description[$0]["x-problems"].elements.map(\.text)
        }
        // What any address may answer before a route is found; what no route gives yet.
        let others: Set = [
            "malformed_request", "no_such_route", "method_not_allowed", "target_too_long",
            "headers_too_large", "expectation_failed", "method_unknown", "simulated_error",
            "stale_metadata",
        ]

        #expect(Set(description.problems.keys).subtracting(given) == others)
    }

    @Test("refers to nothing that is not there")
    func references() {
        for reference in Self.references(in: description.document).sorted() {
            #expect(!description.schema.resolved(reference).isNull, "\(reference)")
        }
    }

    private static func references(in value: JSON) -> Set<String> {
        var found: Set<String> = []
        if case .string(let reference) = value["$ref"] { found.insert(reference) }
        for part in value.elements + value.members.values { found.formUnion(references(in: part)) }
        return found
    }

    @Test("has no component that nothing refers to")
    func components() {
        let used = Self.references(in: description.document)
        for (kind, components) in description.document["components"].members
        where kind != "securitySchemes" {
            for name in components.members.keys {
                #expect(used.contains("#/components/\(kind)/\(name)"), "\(kind)/\(name)")
            }
        }
    }

    @Test("has examples that fit their schemas")
    func examples() {
        var count = 0
        check(description.document, at: "", &count)

        #expect(count > 30)
    }

    private func check(_ value: JSON, at place: String, _ count: inout Int) {
        let schema = value["schema"].isNull ? value : value["schema"]
        var examples = [value["example"]].filter { !$0.isNull }
        examples += value["examples"].elements
        examples += value["examples"].members.values.map { $0["value"] }
        for example in examples {
            count += 1
            let complaints = description.schema.complaints(
                about: example, by: schema, at: "example")
            #expect(complaints == [], "\(place)")
        }
        for (name, part) in value.members where !name.hasPrefix("example") {
            check(part, at: "\(place)/\(name)", &count)
        }
        for (index, part) in value.elements.enumerated() {
            check(part, at: "\(place)/\(index)", &count)
        }
    }

    @Test("is what the server gives")
    func served() async throws {
        let answer = try await TestServer().get("/openapi.json", as: .nobody)

        #expect(answer.status == 200)
        #expect(answer.type == "application/json")
        #expect(answer.json == description.document)
    }
}
