import BasketHTTP
import Testing

/// A change with a header that it does not hold to. `FILE` stands for an item.
struct UnheldCondition: Sendable, CustomTestStringConvertible {
    let method: HTTPMethod
    let target: String
    let header: String
    let value: String
    /// What the refusal tells to use instead.
    let instead: String

    init(
        _ method: HTTPMethod, _ target: String, _ header: String, _ value: String,
        instead: String
    ) {
        self.method = method
        self.target = target
        self.header = header
        self.value = value
        self.instead = instead
    }

    var testDescription: String { "\(method.rawValue) \(target), \(header): \(value)" }
}

private let past = "Sat, 01 Jan 2000 00:00:00 GMT"

@Suite("A condition of a change")
struct ConditionTests {
    private let files = "/v1/domains/Work/files/"

    @Test(
        "that is not held to is refused before the body is sent",
        arguments: [
            UnheldCondition(.patch, "items/FILE", "If-Match", "\"x\"", instead: "base"),
            UnheldCondition(.patch, "items/FILE", "If-None-Match", "*", instead: "base"),
            UnheldCondition(.put, "files/a.txt", "If-Unmodified-Since", past, instead: "If-Match"),
            UnheldCondition(.put, "files/a.txt", "If-None-Match", "\"x\"", instead: "If-Match"),
            UnheldCondition(.put, "files/d/", "If-Match", "\"x\"", instead: "If-None-Match"),
            UnheldCondition(.put, "items/FILE/content", "If-None-Match", "*", instead: "If-Match"),
            UnheldCondition(.put, "items/FILE/thumbnail", "If-Match", "\"x\"", instead: "base"),
            UnheldCondition(
                .delete, "items/FILE", "If-Unmodified-Since", past, instead: "If-Match"),
            UnheldCondition(.delete, "files/a.txt", "If-None-Match", "\"x\"", instead: "If-Match"),
            UnheldCondition(.post, "items/FILE/trash", "If-Match", "\"x\"", instead: "base"),
            UnheldCondition(.delete, "items/FILE/lock", "If-Match", "\"x\"", instead: "leave it"),
            UnheldCondition(
                .put, "files/a.txt", "Content-Range", "bytes 100-104/105", instead: "chunks"),
            UnheldCondition(
                .put, "items/FILE/content", "Content-Range", "bytes 0-4/5", instead: "chunks"),
            UnheldCondition(
                .put, "chunks/\(String(repeating: "ab", count: 32))", "Content-Range",
                "bytes 0-4/5", instead: "chunks"),
        ])
    func unheld(row: UnheldCondition) async throws {
        let server = try await TestServer()
        let file = try await server.file("a.txt", "old")
        let before = try await server.anchor()
        var request = try TestRequest(
            row.method,
            "/v1/domains/Work/" + row.target.replacing("FILE", with: file["id"].text))
        request.headers = [(row.header, row.value), ("Content-Type", "application/json")]
        request.body = row.method == .delete ? nil : Array("{}".utf8)
        request.whenRead = { Issue.record("the body was read") }

        let answer = try await server.send(request)

        #expect(answer.status == 400)
        #expect(answer.code == "bad_parameter")
        #expect(answer["field"].text == row.header)
        #expect(answer["detail"].text.contains(row.instead), "\(answer.text)")
        #expect(try await server.anchor() == before)
    }

    @Test("keeps a file from being deleted that is not the one that was seen")
    func delete() async throws {
        let server = try await TestServer()
        let old = try await server.file("a.txt", "old")
        let new = try await server.file("a.txt", "new")
        let stale: KeyValuePairs = ["If-Match": "\"\(old["contentVersion"].text)\""]
        let seen: KeyValuePairs = ["If-Match": "\"\(new["contentVersion"].text)\""]
        let path = TestServer.path(new)

        for target in [path, files + "a.txt", files + "a.txt?trash=true"] {
            let refused = try await server.delete(target, headers: stale)
            #expect(refused.status == 412)
            #expect(refused.code == "stale_content")
            #expect(refused.item == new)
        }
        let both = try await server.delete(
            path + "?base=\(new["contentVersion"].text)", headers: seen)
        let unknown = try await server.delete(path, headers: ["If-Match": "\"not-ours\""])
        #expect(both.code == "bad_parameter")
        #expect(unknown.code == "precondition_failed")

        #expect(try await server.delete(path, headers: seen).status == 204)
        #expect(try await server.names() == [])
    }

    @Test("asks with a star for what is there")
    func exists() async throws {
        let server = try await TestServer()
        let path = TestServer.path(try await server.file("a.txt"))
        let folder = TestServer.path(try await server.folder("d"))
        let star: KeyValuePairs = ["If-Match": "*"]

        #expect(try await server.delete(path, headers: star).status == 204)
        #expect(try await server.delete(path).status == 204)
        let gone = try await server.delete(path, headers: star)
        #expect(gone.status == 412)
        #expect(gone.code == "precondition_failed")
        let version = try await server.delete(folder, headers: ["If-Match": "\"1xc5ysc7z9b4\""])
        #expect(version.code == "bad_parameter")
        #expect(try await server.delete(folder, headers: star).status == 204)
    }

    @Test("has a folder made only where there is none")
    func newFolder() async throws {
        let server = try await TestServer()
        let star: KeyValuePairs = ["If-None-Match": "*"]

        #expect(try await server.put(files + "d/", bytes: [], headers: star).status == 201)
        let taken = try await server.put(files + "d/", bytes: [], headers: star)
        #expect(taken.code == "name_taken")
    }
}
