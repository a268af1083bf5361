import BasketContent
import BasketHTTP
import Testing

// Requests in a line.
extension TestServer {
    @discardableResult
    func get(
        _ target: String, as caller: Caller = .admin, headers: KeyValuePairs<String, String> = [:],
        at place: SourceLocation = #_sourceLocation
    ) async throws -> TestAnswer {
        try await send(.get, target, as: caller, headers: headers, at: place)
    }

    @discardableResult
    func head(
        _ target: String, as caller: Caller = .admin, headers: KeyValuePairs<String, String> = [:],
        at place: SourceLocation = #_sourceLocation
    ) async throws -> TestAnswer {
        try await send(.head, target, as: caller, headers: headers, at: place)
    }

    @discardableResult
    func post(
        _ target: String, _ json: JSON? = nil, as caller: Caller = .admin,
        headers: KeyValuePairs<String, String> = [:], at place: SourceLocation = #_sourceLocation
    ) async throws -> TestAnswer {
        try await send(.post, target, as: caller, headers: headers, json: json, at: place)
    }

    @discardableResult
    func patch(
        _ target: String, _ json: JSON, as caller: Caller = .admin,
        headers: KeyValuePairs<String, String> = [:], at place: SourceLocation = #_sourceLocation
    ) async throws -> TestAnswer {
        try await send(.patch, target, as: caller, headers: headers, json: json, at: place)
    }

    @discardableResult
    func put(
        _ target: String, _ json: JSON, as caller: Caller = .admin,
        headers: KeyValuePairs<String, String> = [:], at place: SourceLocation = #_sourceLocation
    ) async throws -> TestAnswer {
        try await send(.put, target, as: caller, headers: headers, json: json, at: place)
    }

    @discardableResult
    func put(
        _ target: String, bytes: [UInt8], as caller: Caller = .admin,
        headers: KeyValuePairs<String, String> = [:], at place: SourceLocation = #_sourceLocation
    ) async throws -> TestAnswer {
        try await send(.put, target, as: caller, headers: headers, bytes: bytes, at: place)
    }

    @discardableResult
    func put(
        _ target: String, text: String, as caller: Caller = .admin,
        headers: KeyValuePairs<String, String> = [:], at place: SourceLocation = #_sourceLocation
    ) async throws -> TestAnswer {
        try await put(target, bytes: Array(text.utf8), as: caller, headers: headers, at: place)
    }

    @discardableResult
    func delete(
        _ target: String, as caller: Caller = .admin, headers: KeyValuePairs<String, String> = [:],
        at place: SourceLocation = #_sourceLocation
    ) async throws -> TestAnswer {
        try await send(.delete, target, as: caller, headers: headers, at: place)
    }

    private func send(
        _ method: HTTPMethod, _ target: String, as caller: Caller,
        headers: KeyValuePairs<String, String>, json: JSON? = nil, bytes: [UInt8]? = nil,
        at place: SourceLocation
    ) async throws -> TestAnswer {
        var request = try TestRequest(method, target)
        request.headers = headers.map { ($0.key, $0.value) }
        request.body = json?.bytes ?? bytes
        if json != nil, !request.headers.contains(where: { $0.name == "Content-Type" }) {
            request.headers.append(("Content-Type", "application/json"))
        }
        return try await send(request, as: caller, at: place)
    }

    /// What is refused before the body is sent.
    func putUnread(
        _ target: String, bytes: [UInt8], headers: KeyValuePairs<String, String> = [:],
        at place: SourceLocation = #_sourceLocation
    ) async throws -> TestAnswer {
        var request = try TestRequest(.put, target)
        request.headers = headers.map { ($0.key, $0.value) }
        request.body = bytes
        request.whenRead = { Issue.record("the body was read", sourceLocation: place) }
        return try await send(request, at: place)
    }

    // MARK: What most tests begin with

    /// A file in `Work`, by its path; the folders on the way are made. The item.
    @discardableResult
    func file(
        _ path: String, _ text: String = "hello", as caller: Caller = .admin
    ) async throws -> JSON {
        try await file(path, bytes: Array(text.utf8), as: caller)
    }

    @discardableResult
    func file(
        _ path: String, bytes: [UInt8], as caller: Caller = .admin
    ) async throws -> JSON {
        let answer = try await put(
            "/v1/domains/Work/files/\(path)?parents=true", bytes: bytes, as: caller)
        try #require(answer.status < 300, "\(answer.text)")
        return answer.item
    }

    /// A folder in `Work`. The item.
    @discardableResult
    func folder(_ name: String, in parent: String = "root") async throws -> JSON {
        let answer = try await post(
            "/v1/domains/Work/items",
            ["parent": .string(parent), "name": .string(name), "kind": "folder"])
        try #require(answer.status == 201, "\(answer.text)")
        return answer.item
    }

    /// An item of `Work` as it is now.
    func item(_ id: String, at place: SourceLocation = #_sourceLocation) async throws -> JSON {
        let answer = try await get(Self.path(id), at: place)
        try #require(answer.status == 200, "\(answer.text)", sourceLocation: place)
        return answer.json
    }

    static let items = "/v1/domains/Work/items"

    /// `/v1/domains/Work/items/ID`
    static func path(_ id: String) -> String { "/v1/domains/Work/items/\(id)" }

    static func path(_ item: JSON) -> String { path(item["id"].text) }

    func anchor() async throws -> String {
        try await get("/v1/domains/Work/anchor")["anchor"].text
    }

    /// The names in a folder of `Work`, in their order.
    func names(in folder: String = "root") async throws -> [String] {
        try await get(Self.path(folder) + "/children")["items"].elements.map { $0["name"].text }
    }

    /// Lets somebody into `Work`.
    func invite(_ name: String, _ role: String) async throws {
        try await put("/v1/domains/Work/members/\(name)", ["role": .string(role)])
    }
}
