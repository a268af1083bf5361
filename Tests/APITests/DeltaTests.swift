import BasketBlobs
import BasketContent
import BasketHTTP
import Testing

@Suite("Sending a content in chunks")
struct DeltaTests {
    private static let chunkLength = 300_000

    /// The content's chunks, all of one length but the last.
    private func chunks(of bytes: [UInt8]) -> [[UInt8]] {
        stride(from: 0, to: bytes.count, by: Self.chunkLength).map {
            Array(bytes[$0..<min($0 + Self.chunkLength, bytes.count)])
        }
    }

    private func manifest(of bytes: [UInt8]) -> JSON {
        [
            "size": .integer(Int64(bytes.count)), "hash": hash(bytes),
            "chunks": .array(
                chunks(of: bytes).map { ["length": .integer(Int64($0.count)), "hash": hash($0)] }),
        ]
    }

    private func hash(_ bytes: [UInt8]) -> JSON {
        .string(ContentHash(of: bytes).hex)
    }

    private func send(_ chunk: [UInt8], to server: TestServer) async throws -> TestAnswer {
        try await server.put("/v1/domains/Work/chunks/\(hash(chunk).text)", bytes: chunk)
    }

    private func put(
        _ manifest: JSON, to file: JSON, of server: TestServer,
        headers: KeyValuePairs<String, String> = [:]
    ) async throws -> TestAnswer {
        var request = try TestRequest(.put, TestServer.path(file) + "/content")
        request.headers = headers.map { ($0.key, $0.value) }
        request.headers.append(("Content-Type", "application/vnd.basket.manifest+json"))
        request.body = (["manifest": manifest, "modified": "2020-01-01T00:00:00Z"] as JSON).bytes
        return try await server.send(request)
    }

    @Test("sends those that are missing, then the list of all")
    func upload() async throws {
        let server = try await TestServer()
        let file = try await server.file("a.bin", "old")
        let old = patterned(1_000_000)
        var new = old
        new[500_000] ^= 1

        // Everything is missing at first.
        let refused = try await put(manifest(of: old), to: file, of: server)
        #expect(refused.status == 409)
        #expect(refused.code == "chunks_missing")
        let all = chunks(of: old).map(hash)
        #expect(refused["missing"].elements == all)
        let asked = try await server.post(
            "/v1/domains/Work/chunks/missing", ["hashes": .array(all + [all[0]])])
        #expect(asked["missing"].elements == all)
        for chunk in chunks(of: old) { #expect(try await send(chunk, to: server).status == 204) }
        let first = try await put(manifest(of: old), to: file, of: server)
        #expect(first.status == 200)
        #expect(first.item["sha256"] == hash(old))
        #expect(first.item["modified"] == "2020-01-01T00:00:00Z")

        // Then only what is new.
        let missing = try await server.post(
            "/v1/domains/Work/chunks/missing", ["hashes": .array(chunks(of: new).map(hash))])
        #expect(missing["missing"].elements == [hash(chunks(of: new)[1])])
        _ = try await send(chunks(of: new)[1], to: server)
        let second = try await put(manifest(of: new), to: file, of: server)
        #expect(second.status == 200)
        #expect(try await server.get(TestServer.path(file) + "/content").body == new)
        let kept = first.item["contentVersion"].text
        #expect(
            try await server.get(TestServer.path(file) + "/content?version=\(kept)").body == old)
    }

    @Test("makes a new file of them too")
    func create() async throws {
        let server = try await TestServer()
        let bytes = patterned(700_000)
        for chunk in chunks(of: bytes) { _ = try await send(chunk, to: server) }

        let answer = try await server.post(
            TestServer.items, ["name": "a.bin", "kind": "file", "manifest": manifest(of: bytes)])

        #expect(answer.status == 201)
        #expect(try await server.get(TestServer.path(answer.item) + "/content").body == bytes)
    }

    @Test("gives a file of very many of them back, whole and in parts")
    func manyBlobs() async throws {
        let server = try await TestServer()
        let chunks = (0..<100).map { number in
            Array(repeating: UInt8(number), count: 70_000 + number)
        }
        let bytes = chunks.flatMap(\.self)
        for chunk in chunks { _ = try await send(chunk, to: server) }
        let manifest: JSON = [
            "size": .integer(Int64(bytes.count)), "hash": hash(bytes),
            "chunks": .array(
                chunks.map { ["length": .integer(Int64($0.count)), "hash": hash($0)] }),
        ]
        let file = try await server.post(
            TestServer.items, ["name": "a.bin", "kind": "file", "manifest": manifest]
        ).item
        let path = TestServer.path(file) + "/content"

        #expect(try await server.get(path).body == bytes)
        // From the middle of one, through more than are held open at once, to the middle of another one.
        let part = 140_050...6_000_000
        let answer = try await server.get(
            path, headers: ["Range": "bytes=\(part.lowerBound)-\(part.upperBound)"])
        #expect(answer.status == 206)
        #expect(answer.body == Array(bytes[part]))
    }

    @Test("makes an empty file of none, and a small one of one", arguments: [0, 1, 1000])
    func small(count: Int) async throws {
        let server = try await TestServer()
        let bytes = patterned(count)
        for chunk in chunks(of: bytes) { _ = try await send(chunk, to: server) }

        let answer = try await server.post(
            TestServer.items, ["name": "a.bin", "kind": "file", "manifest": manifest(of: bytes)])

        #expect(answer.status == 201)
        #expect(answer.item["sha256"] == hash(bytes))
        #expect(try await server.get(TestServer.path(answer.item) + "/content").body == bytes)
    }

    @Test("sends a chunk as often as it takes")
    func twice() async throws {
        let server = try await TestServer()
        let chunk = patterned(100_000)

        for _ in 0..<3 { #expect(try await send(chunk, to: server).status == 204) }

        #expect(try await server.blobs.list(after: nil, limit: 9).count == 1)
    }

    @Test("gives back the list of what is there", arguments: ContentSize.allCases)
    func download(size: ContentSize) async throws {
        let server = try await TestServer()
        let file = try await server.file("a.bin", bytes: size.bytes)

        let answer = try await server.get(TestServer.path(file) + "/manifest")

        #expect(answer["version"] == file["contentVersion"])
        #expect(answer["manifest"]["size"].int == size.rawValue)
        #expect(answer["manifest"]["hash"] == file["sha256"])
        var start = 0
        for chunk in answer["manifest"]["chunks"].elements {
            let end = start + (chunk["length"].int ?? 0)
            #expect(hash(Array(size.bytes[start..<end])) == chunk["hash"])
            start = end
        }
        #expect(start == size.rawValue)
        let version = file["contentVersion"].text
        let path = TestServer.path(file)
        try await server.put(path + "/content", text: "new")
        #expect(
            try await server.get(path + "/manifest?version=\(version)")["manifest"]
                == answer["manifest"])
        #expect(
            try await server.get(path + "/manifest?version=zzz").code == "version_not_available")
    }

    @Test("says in which chunks a part lies", arguments: ContentSize.allCases)
    func chunksOfPart(size: ContentSize) async throws {
        let server = try await TestServer()
        let file = try await server.file("a.bin", bytes: size.bytes)
        let path = TestServer.path(file)
        let all = try await server.get(path + "/manifest")["manifest"]["chunks"].elements
        let end = size.rawValue

        let whole = try await server.get(path + "/chunks")
        #expect(whole["version"] == file["contentVersion"])
        #expect(whole["size"].int == end)
        #expect(whole["start"].int == 0)
        #expect(whole["chunks"].elements == all)

        for (from, to) in [(0, 1), (0, 0), (1, end), (end / 2, end / 2 + 1), (end - 1, end + 9)] {
            var (start, first) = (0, 0)
            while first < all.count, let length = all[first]["length"].int, start + length <= from {
                (start, first) = (start + length, first + 1)
            }
            var (last, position) = (first, start)
            while last < all.count, position < to, let length = all[last]["length"].int {
                (position, last) = (position + length, last + 1)
            }
            guard from >= 0, from < to else { continue }
            let part = try await server.get(path + "/chunks?from=\(from)&to=\(to)")
            #expect(part["start"].int == start, "\(from) to \(to) of \(end)")
            #expect(
                part["chunks"].elements == Array(all[first..<last]), "\(from) to \(to) of \(end)")
        }
        let behind = try await server.get(path + "/chunks?from=\(end)&to=\(end + 5)")
        #expect(behind["chunks"].elements.isEmpty)
        #expect(try await server.get(path + "/chunks?from=2&to=1").code == "bad_parameter")
        #expect(try await server.get(path + "/chunks?from=-1").code == "bad_parameter")
        #expect(try await server.get(path + "/chunks?version=zzz").code == "version_not_available")
    }

    // MARK: Lies

    @Test("does not believe a list whose hash is not that of its chunks together")
    func wrongHash() async throws {
        let server = try await TestServer()
        let file = try await server.file("a.bin", "old")
        let bytes = patterned(700_000)
        for chunk in chunks(of: bytes) { _ = try await send(chunk, to: server) }
        var lie = manifest(of: bytes).members
        lie["hash"] = hash([1, 2, 3])

        let answer = try await put(.object(lie), to: file, of: server)

        #expect(answer.status == 422)
        #expect(answer.code == "hash_mismatch")
        #expect(try await server.get(TestServer.path(file) + "/content").text == "old")
    }

    @Test("does not believe another size of a content that is known", arguments: [1, -1])
    func wrongSize(by sign: Int) async throws {
        let server = try await TestServer()
        let bytes = patterned(700_000)
        let file = try await server.file("a.bin", bytes: bytes)
        let chunk = patterned(100_000)
        _ = try await send(chunk, to: server)
        let count = sign > 0 ? 20 : 2
        let lie: JSON = [
            "hash": hash(bytes), "size": .integer(Int64(count * chunk.count)),
            "chunks": .array(
                Array(
                    repeating: ["hash": hash(chunk), "length": .integer(Int64(chunk.count))],
                    count: count)),
        ]

        let answer = try await server.post(
            TestServer.items, ["name": "b.bin", "kind": "file", "manifest": lie])

        #expect(answer.status == 422)
        #expect(answer.code == "bad_field")
        #expect(try await server.get(TestServer.path(file) + "/content").body == bytes)
    }

    @Test("does not believe a list with other lengths than its chunks have")
    func wrongLengths() async throws {
        let server = try await TestServer()
        let file = try await server.file("a.bin", "old")
        let bytes = patterned(700_000)
        for chunk in chunks(of: bytes) { _ = try await send(chunk, to: server) }
        let hashes = chunks(of: bytes).map(hash)
        let lie: JSON = [
            "size": 700_000, "hash": hash(bytes),
            "chunks": [
                ["length": 299_999, "hash": hashes[0]], ["length": 300_001, "hash": hashes[1]],
                ["length": 100_000, "hash": hashes[2]],
            ],
        ]

        let answer = try await put(lie, to: file, of: server)

        #expect(answer.status == 422)
        #expect(answer.code == "bad_field")
        #expect(answer["field"] == "manifest.chunks")
    }

    @Test(
        "refuses a list that breaks a rule",
        arguments: [
            (700_001, [300_000, 300_000, 100_000], "manifest_size_mismatch"),
            (-1, [300_000], "manifest_size_negative"),
            (300_010, [10, 300_000], "manifest_chunk_too_short"),
            (300_000, [300_000, 0], "manifest_chunk_too_short"),
            (5_000_000, [5_000_000], "manifest_chunk_too_long"),
            (300_000, [300_000], "manifest_hash_mismatch"),
        ])
    func brokenRules(size: Int, lengths: [Int], code: String) async throws {
        let server = try await TestServer()
        let file = try await server.file("a.bin", "old")
        let lie: JSON = [
            "size": .integer(Int64(size)), "hash": hash([1]),
            "chunks": .array(
                lengths.map { ["length": .integer(Int64($0)), "hash": hash([2])] }),
        ]

        let replaced = try await put(lie, to: file, of: server)
        let made = try await server.post(
            TestServer.items, ["name": "b", "kind": "file", "manifest": lie])

        for answer in [replaced, made] {
            #expect(answer.status == 422)
            #expect(answer.code == code)
            #expect(answer["field"] == "manifest")
        }
    }

    @Test(
        "refuses a list that cannot be read",
        arguments: [
            [:], ["size": 1, "hash": "x", "chunks": []], ["size": 1, "chunks": []],
            ["size": "1", "hash": "", "chunks": [1]], 7,
        ] as [JSON])
    func unreadable(manifest: JSON) async throws {
        let server = try await TestServer()
        let file = try await server.file("a.bin", "old")

        let answer = try await put(manifest, to: file, of: server)

        #expect(answer.status == 422)
        #expect(answer.code == "bad_field")
        #expect(answer["field"].text.hasPrefix("manifest"))
    }

    @Test("refuses a chunk that is not what it is called")
    func badChunks() async throws {
        let server = try await TestServer()
        let chunks = "/v1/domains/Work/chunks/"
        let name = hash([1]).text

        #expect(try await server.put(chunks + name, text: "other").code == "hash_mismatch")
        #expect(try await server.put(chunks + name, bytes: []).code == "empty_chunk")
        #expect(try await server.put(chunks + "abc", text: "x").code == "bad_parameter")
        let large = [UInt8](repeating: 0, count: 4_194_305)
        #expect(try await server.put(chunks + name, bytes: large).code == "body_too_large")
        #expect(try await server.blobs.list(after: nil, limit: 9) == [])
    }

    @Test("refuses more questions than it answers at once")
    func tooMany() async throws {
        let server = try await TestServer()
        let hashes = JSON.array(Array(repeating: hash([1]), count: 10_001))

        let many = try await server.post("/v1/domains/Work/chunks/missing", ["hashes": hashes])
        let bad = try await server.post("/v1/domains/Work/chunks/missing", ["hashes": ["abc"]])

        #expect(many["field"] == "hashes")
        #expect(bad["field"] == "hashes.0")
    }

    @Test("opens nothing by knowing a hash of another domain")
    func otherDomains() async throws {
        let server = try await TestServer()
        let bytes = patterned(200_000)
        _ = try await send(bytes, to: server)
        let ada = try await server.join("ada")
        try await server.post("/v1/domains", ["name": "Hers"], as: ada)

        let asked = try await server.post(
            "/v1/domains/Hers/chunks/missing", ["hashes": [hash(bytes)]], as: ada)
        let made = try await server.post(
            "/v1/domains/Hers/items",
            ["name": "stolen", "kind": "file", "manifest": manifest(of: bytes)], as: ada)

        #expect(asked["missing"].elements == [hash(bytes)])
        #expect(made.code == "chunks_missing")
    }

    @Test("is refused before the chunks are read when there can be no room for it")
    func noRoom() async throws {
        let server = try await TestServer()
        let chunk = patterned(100_000)
        _ = try await send(chunk, to: server)
        try await server.patch("/v1/domains/Work", ["quota": 1_000_000])
        let file = try await server.file("a.bin", "old")
        let repeated = Array(
            repeating: ["length": 100_000, "hash": hash(chunk)] as JSON, count: 11)
        // The hash is wrong, which nobody gets to see.
        let manifest: JSON = [
            "size": 1_100_000, "hash": hash(chunk), "chunks": .array(repeated),
        ]
        #expect(try await put(manifest, to: file, of: server).code == "insufficient_quota")
        let made = try await server.post(
            TestServer.items, ["name": "b.bin", "kind": "file", "manifest": manifest])
        #expect(made.code == "insufficient_quota")
    }

    @Test("may name one chunk many times")
    func repeated() async throws {
        let server = try await TestServer()
        let chunk = patterned(Self.chunkLength)
        _ = try await send(chunk, to: server)
        let file = try await server.file("a.bin", "old")
        let bytes = Array(repeatElement(chunk, count: 300).joined())
        #expect(try await put(manifest(of: bytes), to: file, of: server).status == 200)
    }
}
