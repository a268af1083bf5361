import BasketAPI
import BasketHTTP
import Testing

/// A request that is refused, and why: what no other test is about.
struct Refusal: Sendable, CustomTestStringConvertible {
    let method: HTTPMethod
    /// Below `Work`; `FILE`, `DIR`, `INNER` and `TRASHED` stand for items.
    let target: String
    var json: JSON?
    var bytes: [UInt8] = []
    var headers: [String: String] = [:]
    var isReader = false
    let code: String

    init(
        _ method: HTTPMethod, _ target: String, _ json: JSON? = nil, bytes: [UInt8] = [],
        headers: [String: String] = [:], byReader isReader: Bool = false, is code: String
    ) {
        self.method = method
        self.target = target
        self.json = json
        self.bytes = bytes
        self.headers = headers
        self.isReader = isReader
        self.code = code
    }

    var testDescription: String { "\(method.rawValue) \(target) is \(code)" }
}

private let png = ["Content-Type": "image/png"]
private let otherHash = String(repeating: "ab", count: 32)
private let large = JSON.string(String(repeating: "AAAA", count: 500))

@Suite("A refusal")
struct RefusalTests {
    private static let missing: [Refusal] = [
        Refusal(.put, "items/zzz/lock", [:], is: "no_such_item"),
        Refusal(.get, "items/zzz/lock", is: "no_such_item"),
        Refusal(.delete, "items/zzz/lock", is: "no_such_item"),
        Refusal(.put, "items/zzz/thumbnail", bytes: [1], headers: png, is: "no_such_item"),
        Refusal(.post, "items/zzz/versions/zzz/restore", is: "no_such_item"),
        Refusal(
            .post, "items/zzz/conflicts/resolve", ["keep": [], "base": "zzz"], is: "no_such_item"),
        Refusal(.get, "files/FILENAME?version=zzz", is: "version_not_available"),
    ]

    private static let kinds: [Refusal] = [
        Refusal(.get, "items/DIR/manifest", is: "not_a_file"),
        Refusal(.post, "items/DIR/versions/zzz/restore", is: "not_a_file"),
        Refusal(.post, "items/TRASHED/restore", ["parent": "FILE"], is: "not_a_folder"),
        Refusal(.post, "items/TRASHED/restore", ["parent": "INNER"], is: "move_into_itself"),
        Refusal(.post, "items/TRASHED/restore", ["name": "a/b"], is: "bad_name"),
        Refusal(.patch, "", ["name": "a/b"], is: "bad_name"),
        Refusal(.patch, "items/FILE", ["name": .null], is: "bad_field"),
        Refusal(.patch, "items/FILE", ["parent": .null], is: "bad_field"),
        Refusal(.patch, "", ["name": "Other"], is: "domain_exists"),
        Refusal(.get, "files/?cursor=x", is: "cursor_expired"),
    ]

    private static let readers: [Refusal] = [
        Refusal(.delete, "items/FILE", byReader: true, is: "forbidden"),
        Refusal(.delete, "files/FILENAME", byReader: true, is: "forbidden"),
        Refusal(.delete, "members/bob", byReader: true, is: "forbidden"),
        Refusal(
            .post, "undelete", ["since": "2026-01-01T00:00:00Z"], byReader: true, is: "forbidden"),
        Refusal(
            .put, "items/FILE/thumbnail", bytes: [1], headers: png, byReader: true,
            is: "forbidden"),
        Refusal(.put, "chunks/\(otherHash)", bytes: [1], byReader: true, is: "forbidden"),
        Refusal(.post, "items/FILE/versions/zzz/restore", byReader: true, is: "forbidden"),
        Refusal(
            .post, "items/FILE/conflicts/resolve", ["keep": ["zzz"], "base": "zzz"],
            byReader: true, is: "forbidden"),
        Refusal(.get, "/v1/debug/faults", byReader: true, is: "forbidden"),
        Refusal(.delete, "/v1/debug/faults", byReader: true, is: "forbidden"),
        Refusal(.delete, "/v1/debug/faults/1", byReader: true, is: "forbidden"),
    ]

    private static let contents: [Refusal] = [
        Refusal(
            .get, "items/FILE/thumbnail", headers: ["If-Match": "\"x\""],
            is: "precondition_failed"),
        Refusal(
            .get, "files/FILENAME", headers: ["If-Match": "\"x\""], is: "precondition_failed"),
        Refusal(
            .get, "files/FILENAME", headers: ["Range": "bytes=9-"], is: "range_not_satisfiable"),
        Refusal(
            .put, "files/new", bytes: [1], headers: ["X-Content-SHA256": otherHash],
            is: "hash_mismatch"),
        Refusal(.put, "files/new", bytes: patterned(2000), is: "file_too_large"),
        Refusal(
            .post, "items", ["name": "new", "kind": "file", "content": large],
            is: "insufficient_quota"),
        Refusal(
            .post, "items",
            [
                "name": "new", "kind": "file",
                "manifest": [
                    "size": 5000, "hash": .string(otherHash),
                    "chunks": [["length": 5000, "hash": .string(otherHash)]],
                ],
            ], is: "file_too_large"),
    ]

    @Test("names its reason, and changes nothing", arguments: missing + kinds + readers + contents)
    func refusal(row: Refusal) async throws {
        let server = try await TestServer {
            $0.allowsFaults = true
            $0.largestFile = 1500
        }
        let reader = try await server.join("ada")
        try await server.invite("ada", "reader")
        try await server.join("bob")
        try await server.invite("bob", "writer")
        try await server.post("/v1/domains", ["name": "Other"])
        try await server.patch("/v1/domains/Work", ["quota": 1000])
        let file = try await server.file("file.jpg")
        try await server.put(
            TestServer.path(file) + "/thumbnail", bytes: [1], headers: ["Content-Type": "image/png"]
        )
        let folder = try await server.folder("dir")
        let trashed = try await server.folder("trashed")
        let inner = try await server.folder("inner", in: trashed["id"].text)
        try await server.post(TestServer.path(trashed) + "/trash")
        let before = try await server.get("/v1/domains/Work").json
        func filled(_ text: String) -> String {
            [
                ("FILENAME", "file.jpg"), ("FILE", file["id"].text), ("DIR", folder["id"].text),
                ("INNER", inner["id"].text), ("TRASHED", trashed["id"].text),
            ]
            .reduce(text) { $0.replacing($1.0, with: $1.1) }
        }
        let path = row.target.isEmpty ? "/v1/domains/Work" : "/v1/domains/Work/" + row.target
        var request = try TestRequest(
            row.method, filled(row.target.hasPrefix("/") ? row.target : path))
        request.headers = row.headers.map { ($0.key, $0.value) }
        request.body = row.json.map { Array(filled($0.written).utf8) } ?? row.bytes
        if row.json != nil { request.headers.append(("Content-Type", "application/json")) }

        let answer = try await server.send(request, as: row.isReader ? reader : .admin)

        #expect(answer.code == row.code, "\(answer.text)")
        #expect(try await server.get("/v1/domains/Work").json == before)
    }
}

extension JSON {
    fileprivate var written: String {
        String(decoding: bytes, as: UTF8.self)
    }
}
