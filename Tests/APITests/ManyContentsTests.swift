import BasketHTTP
import BasketModels
import Synchronization
import Testing

@testable import BasketAPI

@Suite("Many contents in one answer")
struct ManyContentsTests {
    private let path = "/v1/domains/Work/contents/batch"

    private static func request(_ items: [JSON]) -> JSON {
        ["contents": .array(items.map { ["item": $0["id"]] })]
    }

    @Test("come in the order asked, each with its item, version and hash")
    func all() async throws {
        let server = try await TestServer()
        let long = String(repeating: "x", count: 65_536)
        let items = [
            try await server.file("b.txt", "one\n{\"two\": 2}\n"),
            try await server.file("empty", ""),
            try await server.file("a.txt", long),
        ]

        let answer = try await server.post(path, Self.request(items))

        #expect(answer.status == 200)
        #expect(answer.type == ContentHead.mediaType)
        #expect(answer.contents.map { $0.head["item"] } == items)
        #expect(answer.contents.map { $0.head["version"] } == items.map { $0["contentVersion"] })
        #expect(answer.contents.map { $0.head["sha256"] } == items.map { $0["sha256"] })
        let texts = answer.contents.map { String(decoding: $0.bytes, as: UTF8.self) }
        #expect(texts == ["one\n{\"two\": 2}\n", "", long])
    }

    @Test("are what bodies hold in memory, until they are sent", arguments: [600 << 10, 700 << 10])
    func memory(ofAccount bytes: Int) async throws {
        let server = try await TestServer { $0.bodyMemoryOfAccount = bytes }
        let item = try await server.file("a.txt", "text")
        for _ in 0..<3 {
            let answer = try await server.post(path, Self.request([item]))
            #expect(answer.status == (bytes < 640 << 10 ? 503 : 200))
            if bytes < 640 << 10 { #expect(answer.code == "busy") }
        }
    }

    @Test("may be of an earlier version, with the item as it is now")
    func versions() async throws {
        let server = try await TestServer()
        let old = try await server.file("a.txt", "old")
        try await server.put(TestServer.path(old) + "/content", text: "newer")

        let answer = try await server.post(
            path,
            [
                "contents": [
                    ["item": old["id"], "version": old["contentVersion"]], ["item": old["id"]],
                ]
            ])

        #expect(
            answer.contents.map { String(decoding: $0.bytes, as: UTF8.self) } == ["old", "newer"])
        #expect(answer.contents[0].head["version"] == old["contentVersion"])
        #expect(answer.contents[0].head["sha256"] == old["sha256"])
        #expect(answer.contents[0].head["item"]["size"] == 5)
    }

    @Test("are not touched by those that are not there, or too long")
    func problems() async throws {
        let server = try await TestServer()
        let good = try await server.file("good", "good")
        let gone = try await server.file("gone")
        try await server.delete(TestServer.path(gone))
        let long = try await server.file("long", bytes: [UInt8](repeating: 1, count: 65_537))
        let folder = try await server.folder("folder")
        try await server.post("/v1/domains", ["name": "Other"])
        let elsewhere = try await server.put("/v1/domains/Other/files/x", text: "secret").item

        let answer = try await server.post(
            path,
            [
                "contents": [
                    ["item": "zzz"], ["item": gone["id"]], ["item": elsewhere["id"]],
                    ["item": good["id"], "version": "zzz"], ["item": folder["id"]],
                    ["item": long["id"]], ["item": good["id"]],
                ]
            ])

        #expect(answer.status == 200)
        #expect(
            answer.contents.map { $0.head["problem"]["code"].text } == [
                "no_such_item", "no_such_item", "no_such_item", "version_not_available",
                "not_a_file", "too_long_for_batch", "",
            ])
        #expect(answer.contents[5].head["problem"]["limit"] == 65_536)
        #expect(answer.contents[6].bytes == Array("good".utf8))
        #expect(!answer.text.contains("secret"))
    }

    @Test("are bounded in number and in length, as the server says")
    func limits() async throws {
        let server = try await TestServer()
        let file = try await server.file("a", String(repeating: "x", count: 65_536))
        let limits = try await server.get("/v1/server")["limits"]
        #expect(limits["contentsAsked"] == 256)
        #expect(limits["contentsBytes"] == 8_388_608)
        #expect(limits["contentsBytesEach"] == 65_536)

        let many = try await server.post(
            path, Self.request([JSON](repeating: file, count: 257)))
        #expect(many.code == "bad_field")
        #expect(many["field"] == "contents")
        let answer = try await server.post(
            path, Self.request([JSON](repeating: file, count: 130)))
        let codes = answer.contents.map { $0.head["problem"]["code"].text }
        #expect(codes.filter(\.isEmpty).count == 128)
        #expect(codes.suffix(2) == ["too_long_for_batch", "too_long_for_batch"])
        #expect(try await server.post(path, ["contents": []]).body.isEmpty)
    }

    @Test("are for members only, of whatever role")
    func members() async throws {
        let server = try await TestServer()
        let file = try await server.file("a", "hello")
        let bob = try await server.join("bob")

        #expect(try await server.post(path, Self.request([file]), as: bob).code == "no_such_domain")
        #expect(
            try await server.post(path, Self.request([file]), as: .nobody).code == "not_signed_in")
        try await server.invite("bob", "reader")
        let answer = try await server.post(path, Self.request([file]), as: bob)
        #expect(answer.contents.map(\.bytes) == [Array("hello".utf8)])
    }

    /// Takes an answer piece by piece.
    private static func stream(
        _ items: [JSON], of server: TestServer, as caller: Caller,
        _ take: @escaping @Sendable ([UInt8]) async throws -> Void
    ) async throws {
        var request = try TestRequest(.post, "/v1/domains/Work/contents/batch")
        request.headers = [
            ("Content-Type", "application/json"), ("Authorization", "Bearer \(caller.token ?? "")"),
        ]
        request.body = Self.request(items).bytes
        let response = await server.service.respond(to: request.request(id: "stream"))
        guard case .stream(let stream) = response.body else {
            throw TestServer.NoStream(status: response.status)
        }
        try await stream.produce(HTTPStreamWriter(send: take))
    }

    @Test("are read piece by piece as they are taken, for as long as one may read them")
    func steps() async throws {
        let server = try await TestServer()
        let file = try await server.file("a", String(repeating: "x", count: 65_536))
        let bob = try await server.join("bob")
        try await server.invite("bob", "reader")
        let items = [JSON](repeating: file, count: 100)
        let pieces = Mutex<[Int]>([])

        await #expect(throws: (any Error).self) {
            try await Self.stream(items, of: server, as: bob) { bytes in
                pieces.withLock { $0.append(bytes.count) }
                try await server.delete("/v1/domains/Work/members/bob")
            }
        }

        let taken = pieces.withLock { $0 }
        #expect(taken.count == 1)
        #expect(taken.allSatisfy { $0 < 400_000 })
    }

    @Test("end with who takes them")
    func goneAway() async throws {
        struct Gone: Error {}
        let server = try await TestServer()
        let file = try await server.file("a", String(repeating: "x", count: 65_536))
        let bob = try await server.join("bob")
        try await server.invite("bob", "reader")
        let pieces = Mutex(0)

        await #expect(throws: Gone.self) {
            try await Self.stream([JSON](repeating: file, count: 100), of: server, as: bob) { _ in
                let count = pieces.withLock { pieces in
                    pieces += 1
                    return pieces
                }
                if count == 3 { throw Gone() }
            }
        }
        #expect(pieces.withLock { $0 } == 3)
    }
}
