import BasketContent
import TestSupport
import Testing

extension EndToEnd {
    @Suite("Contents that are not what they claim", .server, .timeLimit(.minutes(60)))
    struct HostileContentTests {
        private static let chunk = [UInt8](repeating: 5, count: 300 << 10)
        private static let hash = ContentHash(of: chunk).hex

        private static func manifest(
            size: String = "\(300 << 10)", hash: String = hash,
            chunks: String = "[{\"length\":\(300 << 10),\"hash\":\"\(hash)\"}]"
        ) -> String {
            "{\"size\":\(size),\"hash\":\"\(hash)\",\"chunks\":\(chunks)}"
        }

        private static let wrongHash = String(repeating: "ab", count: 32)

        /// What a manifest says, and how it is answered.
        private static let lies: [(String, String, Int)] = [
            ("another whole", manifest(hash: wrongHash), 422),
            ("another size", manifest(size: "5"), 422),
            ("a negative size", manifest(size: "-5"), 422),
            ("a size beyond numbers", manifest(size: "9223372036854775807"), 422),
            ("no chunks, but a size", manifest(chunks: "[]"), 422),
            ("a negative length", manifest(chunks: "[{\"length\":-1,\"hash\":\"\(hash)\"}]"), 422),
            ("no length", manifest(chunks: "[{\"length\":0,\"hash\":\"\(hash)\"}]"), 422),
            (
                "a longer chunk than there may be",
                manifest(
                    size: "\(5 << 20)", chunks: "[{\"length\":\(5 << 20),\"hash\":\"\(hash)\"}]"),
                422
            ),
            (
                "lengths that add up to more than a number holds",
                manifest(
                    size: "9223372036854775807",
                    chunks:
                        "[{\"length\":9223372036854775807,\"hash\":\"\(hash)\"},"
                        + "{\"length\":9223372036854775807,\"hash\":\"\(hash)\"}]"), 422
            ),
            (
                "another length than the chunk's",
                manifest(
                    size: "\(300 << 10 - 1)",
                    chunks: "[{\"length\":\(300 << 10 - 1),\"hash\":\"\(hash)\"}]"), 422
            ),
            (
                "a chunk that nobody sent",
                manifest(
                    size: "\(600 << 10)", hash: wrongHash,
                    chunks: "[{\"length\":\(300 << 10),\"hash\":\"\(hash)\"},"
                        + "{\"length\":\(300 << 10),\"hash\":\"\(wrongHash)\"}]"), 409
            ),
            ("no hash at all", manifest(hash: "xyz"), 422),
            ("numbers for chunks", manifest(chunks: "[1,2,3]"), 422),
            ("text", "\"manifest\"", 422),
        ]

        @Test("are refused as a manifest that lies, in a creation and in a change", arguments: lies)
        func manifest(name: String, manifest: String, status: Int) throws {
            let scene = try Stage.scene
            let caller = scene.server.caller()
            let put = try caller.put("\(Stage.Scene.domain)/chunks/\(Self.hash)", Self.chunk)
            #expect(put.status == 204)
            let before = try caller.anchor(of: "Target")

            let created = try caller.call(
                "POST", Stage.Scene.domain + "/items",
                body: Array("{\"name\":\"lie\",\"kind\":\"file\",\"manifest\":\(manifest)}".utf8),
                headers: ["Content-Type": "application/json"])
            let changed = try caller.call(
                "PUT", "\(Stage.Scene.domain)/items/\(scene.file)/content",
                body: Array("{\"manifest\":\(manifest)}".utf8),
                headers: ["Content-Type": "application/vnd.basket.manifest+json"])

            for answer in [created, changed] {
                #expect(answer.status == status, "\(answer.text)")
                #expect(answer.isWellFormed)
            }
            #expect(try caller.anchor(of: "Target") == before)
        }

        @Test("are refused as chunks of another domain, which are as unknown as those never sent")
        func otherDomain() throws {
            let caller = try Stage.server.caller()
            let chunk = [UInt8](repeating: 9, count: 300 << 10)
            let hash = ContentHash(of: chunk).hex
            try caller.makeDomain("Other")
            try caller.expect(204, try caller.put("/v1/domains/Other/chunks/\(hash)", chunk))

            let missing = try caller.post(
                Stage.Scene.domain + "/chunks/missing",
                ["hashes": [.string(hash), .string(Self.wrongHash)]])
            let body = Self.manifest(
                hash: hash, chunks: "[{\"length\":\(300 << 10),\"hash\":\"\(hash)\"}]")
            let created = try caller.call(
                "POST", Stage.Scene.domain + "/items",
                body: Array("{\"name\":\"lie\",\"kind\":\"file\",\"manifest\":\(body)}".utf8),
                headers: ["Content-Type": "application/json"])

            #expect(missing.json["missing"].array.count == 2)
            #expect(created.status == 409)
            #expect(created.code == "chunks_missing")
        }

        private static let uploads: [HostileRequest] = [
            HostileRequest(
                "a chunk under another's name", "PUT", "/chunks/\(wrongHash)", headers: [:],
                body: "bytes", as: 422, "hash_mismatch"),
            HostileRequest(
                "an empty chunk", "PUT", "/chunks/\(wrongHash)", headers: [:], as: 422,
                "empty_chunk"),
            HostileRequest(
                "a chunk with no name", "PUT", "/chunks/xyz", headers: [:], body: "bytes", as: 400,
                "bad_parameter"),
            HostileRequest(
                "a chunk beyond the largest", "PUT", "/chunks/\(wrongHash)", headers: [:],
                body: String(repeating: "x", count: 4 << 20 + 1), as: 413, "body_too_large"),
            HostileRequest(
                "another hash than announced", "PUT", "/files/file.txt",
                headers: ["X-Content-SHA256": wrongHash], body: "bytes", as: 422, "hash_mismatch"),
            HostileRequest(
                "another hash than announced, of a large file", "PUT", "/files/file.txt",
                headers: ["X-Content-SHA256": wrongHash],
                body: String(repeating: "x", count: 500_000), as: 422, "hash_mismatch"),
            HostileRequest(
                "another digest than announced", "PUT", "/files/file.txt",
                headers: ["Repr-Digest": "sha-256=:AAAA:"], body: "bytes", as: 400,
                "bad_parameter"),
            HostileRequest(
                "a hash that is none", "PUT", "/files/file.txt",
                headers: ["X-Content-SHA256": "12"], body: "bytes", as: 400, "bad_parameter"),
            HostileRequest(
                "a date that is none", "PUT", "/files/file.txt",
                headers: ["X-Modified": "tomorrow"], body: "bytes", as: 400, "bad_parameter"),
            HostileRequest(
                "a compressed content", "PUT", "/files/file.txt",
                headers: ["Content-Encoding": "gzip"], body: "bytes", as: 415,
                "unsupported_encoding"),
            HostileRequest(
                "a file's content for a folder", "PUT", "/items/FOLDER/content", headers: [:],
                body: "bytes", as: 409, "not_a_file"),
            HostileRequest(
                "a thumbnail that is no picture", "PUT", "/items/FILE/thumbnail",
                headers: ["Content-Type": "text/html"], body: "<script>", as: 415,
                "not_a_picture"),
            HostileRequest(
                "an empty thumbnail", "PUT", "/items/FILE/thumbnail",
                headers: ["Content-Type": "image/png"], as: 422, "empty_picture"),
            HostileRequest(
                "a giant thumbnail", "PUT", "/items/FILE/thumbnail",
                headers: ["Content-Type": "image/png"],
                body: String(repeating: "x", count: 8 << 20), as: 413, "body_too_large"),
            HostileRequest(
                "a lock for ever", "PUT", "/items/FILE/lock", body: "{\"seconds\":1000000000}",
                as: 422, "bad_field"),
            HostileRequest(
                "a lock that ends before it begins", "PUT", "/items/FILE/lock",
                body: "{\"seconds\":-5}", as: 422, "bad_field"),
            HostileRequest(
                "a folder moved into itself", "PATCH", "/items/FOLDER",
                body: "{\"parent\":\"FOLDER\"}", as: 409, "move_into_itself"),
            HostileRequest(
                "the root moved away", "PATCH", "/items/root", body: "{\"parent\":\"trash\"}",
                as: 409, "permanent_item"),
            HostileRequest(
                "the root deleted", "DELETE", "/items/root?recursive=true", headers: [:], as: 409,
                "permanent_item"),
            HostileRequest(
                "a move into a file", "PATCH", "/items/FOLDER", body: "{\"parent\":\"FILE\"}",
                as: 409, "not_a_folder"),
            HostileRequest(
                "a batch of nothing known", "POST", "/batch",
                body: "{\"operations\":[{\"op\":\"explode\"}]}", as: 422, "bad_field"),
            HostileRequest(
                "a batch beyond the largest", "POST", "/batch",
                body: "{\"operations\":["
                    + [String](repeating: "{\"op\":\"trash\",\"item\":\"x\"}", count: 1001)
                    .joined(separator: ",") + "]}", as: 422, "bad_field"),
            HostileRequest(
                "a question about too many chunks", "POST", "/chunks/missing",
                body: "{\"hashes\":["
                    + [String](repeating: "\"\(wrongHash)\"", count: 10_001).joined(separator: ",")
                    + "]}", as: 422, "bad_field"),
        ]

        @Test("are refused, and leave nothing behind", arguments: uploads)
        func upload(request: HostileRequest) throws { try request.expectRefusal() }

        @Test("are refused when a key comes again with another body")
        func idempotency() throws {
            let caller = try Stage.server.caller()
            let key = ["Idempotency-Key": "one and only"]
            let path = Stage.Scene.domain + "/items"
            let first = try caller.post(path, ["name": "once", "kind": "folder"], key)
            let again = try caller.post(path, ["name": "once", "kind": "folder"], key)
            let before = try caller.anchor(of: "Target")
            let other = try caller.post(path, ["name": "twice", "kind": "folder"], key)
            let elsewhere = try caller.put("\(Stage.Scene.domain)/files/twice", [1], key)

            #expect(first.status == 201)
            #expect(again.status == 201)
            #expect(again.body == first.body)
            for answer in [other, elsewhere] {
                #expect(answer.status == 422)
                #expect(answer.code == "idempotency_key_reused")
            }
            #expect(try caller.anchor(of: "Target") == before)
            for key in ["", String(repeating: "k", count: 256)] {
                let answer = try caller.post(
                    path, ["name": "keyed", "kind": "folder"], ["Idempotency-Key": key])
                #expect([400, 201].contains(answer.status))
            }
        }

        @Test("are counted against a quota without overflowing it")
        func quotas() throws {
            let caller = try Stage.server.caller()
            let body = "{\"name\":\"Endless\",\"quota\":9223372036854775807}"
            let made = try caller.call(
                "POST", "/v1/domains", body: Array(body.utf8),
                headers: ["Content-Type": "application/json"])
            #expect(made.status == 201)
            for round in 0..<3 {
                let bytes = [UInt8](repeating: UInt8(round), count: 100_000)
                let answer = try caller.put("/v1/domains/Endless/files/a", bytes)
                #expect([200, 201].contains(answer.status), "\(answer.text)")
            }
            try caller.makeDomain("Tiny", ["quota": 1000])
            let large = try caller.put(
                "/v1/domains/Tiny/files/a", [UInt8](repeating: 1, count: 5000))
            #expect(large.status == 507)
            #expect(large.code == "insufficient_quota")
        }
    }
}
