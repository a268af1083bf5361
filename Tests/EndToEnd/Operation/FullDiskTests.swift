import BasketContent
import BasketSupport
import TestSupport
import Testing

extension EndToEnd {
    @Suite(
        "A disk that is full", .serialized, .timeLimit(.minutes(60)),
        .enabled(if: TemporaryDisk.isPossible, "needs the right to mount a tmpfs"))
    struct FullDiskTests {
        private static let files = "/v1/domains/Work/files/"
        private static let reserve = 128 << 20
        private static let grace = Duration.seconds(1)
        private static let options = [
            "--reserve", "128MiB", "--keep-deleted", "1s", "--upload-grace", "1s",
            "--collect-every", "100ms",
        ]

        private let disk: TemporaryDisk
        private let server: ServerProcess
        private let caller: Caller

        init() throws {
            disk = try TemporaryDisk(mebibytes: 224)
            server = try ServerProcess(Self.options, folder: disk.path + "/data")
            caller = server.caller()
            try caller.makeDomain("Work")
        }

        private static func content(_ index: Int, _ count: Int) -> [UInt8] {
            var random = SeededGenerator(seed: UInt64(index))
            return random.bytes(count)
        }

        /// Every refusal is the same clear one.
        private func expectRefusal(_ answer: WireAnswer) {
            #expect(answer.status == 507, "\(answer.text)")
            #expect(answer.code == "disk_full")
            #expect(answer.isWellFormed)
        }

        /// Writes until there is no room; the hashes of what was taken, by name.
        private func fill(_ prefix: String, _ count: Int) throws -> [String: String] {
            var hashes: [String: String] = [:]
            for index in 0..<2000 {
                let content = Self.content(index, count)
                let answer = try caller.put("\(Self.files)\(prefix)\(index)", content)
                if answer.status != 201 {
                    expectRefusal(answer)
                    return hashes
                }
                hashes["\(prefix)\(index)"] = ContentHash(of: content).hex
            }
            throw Failure("the disk does not fill")
        }

        /// What was refused may lie there for a moment, and makes some room when it goes: so until nothing more is taken
        /// for longer than that.
        private func fillUp() throws -> [String: String] {
            var hashes = try fill("large", 3 << 20)
            hashes.merge(try fill("small", 60 << 10)) { $1 }
            var refused = ContinuousClock.now
            var rounds = 0
            let isFull = try Patience.until(upTo: .seconds(60)) {
                rounds += 1
                let more = try fill("more\(rounds)-", 60 << 10)
                hashes.merge(more) { $1 }
                if !more.isEmpty { refused = .now }
                return refused.duration(to: .now) > Self.grace * 3
            }
            #expect(isFull)
            return hashes
        }

        /// What was acknowledged is there, in listings and by its bytes.
        private func expectAll(_ hashes: [String: String]) throws {
            let page = try caller.expect(
                200, try caller.get("/v1/domains/Work/items/root/children?limit=1000"))
            var listed: [String: String] = [:]
            for item in page["items"].array {
                listed[item["name"].string ?? ""] = item["sha256"].string
            }
            #expect(listed == hashes)
            for (name, hash) in hashes {
                let answer = try caller.get(Self.files + name)
                #expect(answer.status == 200)
                #expect(ContentHash(of: answer.body).hex == hash)
            }
        }

        private func expectNothingWrong() throws {
            let check = try ServerProgram.run(["check", "--deep", "--data", server.folder])
            #expect(check.ending == .exit(0), "\(check.output)")
        }

        /// What brings bytes is refused.
        private func expectNoRoomForContents() throws {
            let small = Self.content(1, 60 << 10)
            let json: JSON = [
                "name": "small", "kind": "file",
                "content": .string(Base64.encode(small, .standard)),
            ]
            let hash = ContentHash(of: small).hex
            expectRefusal(try caller.put(Self.files + "large", Self.content(2, 3 << 20)))
            expectRefusal(try caller.put(Self.files + "small", small))
            expectRefusal(try caller.post("/v1/domains/Work/items", json))
            expectRefusal(try caller.put("/v1/domains/Work/chunks/\(hash)", small))
        }

        /// What brings none but makes the database grow is refused too. That is certain only where a good part
        /// of the reserve is taken: before, what needs a row finds room within the database.
        private func expectNoRoomForRows() throws {
            let operation: JSON = ["op": "create", "name": "folder", "kind": "folder"]
            let change: JSON = ["op": "change", "item": "root", "xattrs": ["user.a": "AA=="]]
            expectRefusal(try caller.put(Self.files + "folder/", []))
            expectRefusal(
                try caller.post("/v1/domains/Work/items", ["name": "folder", "kind": "folder"]))
            for operation in [operation, change] {
                expectRefusal(
                    try caller.post("/v1/domains/Work/batch", ["operations": [operation]]))
            }
        }

        @Test("is never full: the server refuses before, serves, and makes room by itself")
        func reserve() throws {
            defer { server.kill() }
            var hashes = try fillUp()

            #expect(try disk.freeBytes > Self.reserve / 2, "the reserve is kept")
            try expectNoRoomForContents()
            try expectAll(hashes)
            try expectNothingWrong()
            let found = try caller.expect(
                200, try caller.get("/v1/domains/Work/search?q=small1"))
            #expect(found["items"].array.contains { $0["name"].string == "small1" })

            for name in hashes.keys.filter({ $0.hasPrefix("large") }) {
                try caller.expect(204, try caller.delete(Self.files + name))
                hashes[name] = nil
            }
            let isTaken = try Patience.until(upTo: .seconds(30)) {
                let content = Self.content(99, 3 << 20)
                hashes["again"] = ContentHash(of: content).hex
                return try caller.put(Self.files + "again", content).status == 201
            }
            #expect(isTaken, "what was deleted made room")
            try expectAll(hashes)
            try expectNothingWrong()
        }

        @Test("because of others is told, until there is room again")
        func others() throws {
            defer { server.kill() }
            var hashes: [String: String] = [:]
            for index in 0..<20 {
                let content = Self.content(index, index * 20_000)
                _ = try caller.putFile("file\(index)", content, of: "Work")
                hashes["file\(index)"] = ContentHash(of: content).hex
            }
            hashes["x"] = ContentHash(of: [1]).hex
            _ = try caller.putFile("x", [1], of: "Work")
            for rest in [Self.reserve / 2, 100_000, 0] {
                try disk.fill(leaving: rest)
                // The free space is measured a few times a second.
                #expect(try Patience.until { try caller.put(Self.files + "x", [1]).status == 507 })
                try expectNoRoomForContents()
                try expectNoRoomForRows()
                try expectAll(hashes)
                #expect(try caller.get("/v1/domains/Work/changes").status == 200)
                #expect(try server.stranger().get("/healthz").status == 200)
            }

            // The database itself finds no room: it says so, and loses nothing.
            let id =
                try caller.expect(
                    200, try caller.get("/v1/domains/Work/items/root/children?limit=1"))["items"][
                    0][
                    "id"
                ].string ?? ""
            var answer = try caller.get("/v1/domains/Work/items/\(id)")
            for round in 0..<20_000 where answer.status == 200 {
                answer = try caller.call(
                    "PATCH", "/v1/domains/Work/items/\(id)",
                    json: ["tags": [.string("tag\(round)")]])
            }
            expectRefusal(answer)
            try expectAll(hashes)

            disk.empty()
            let large = Self.content(2, 3 << 20)
            hashes["large"] = ContentHash(of: large).hex
            #expect(
                try Patience.until { try caller.put(Self.files + "large", large).status == 201 })
            try expectAll(hashes)
            #expect(server.stop() == .exit(0))
            try expectNothingWrong()
        }

        @Test("does not hurt a server that dies on it", arguments: [0, 5000, 100_000])
        func death(rest: Int) throws {
            defer { server.kill() }
            var hashes: [String: String] = [:]
            for index in 0..<40 {
                let content = Self.content(index, 30_000)
                if index == 20 { try disk.fill(leaving: 400_000 + rest) }
                let answer = try caller.put("\(Self.files)file\(index)", content)
                if answer.status == 201 {
                    hashes["file\(index)"] = ContentHash(of: content).hex
                }
            }
            try disk.fill(leaving: rest)
            server.kill()
            // Whether it comes back on a full disk is the disk's matter; afterwards it must.
            try server.startInVain(for: .milliseconds(500))
            disk.empty()
            try server.restart()

            let again = server.caller()
            for (name, hash) in hashes {
                #expect(ContentHash(of: try again.get(Self.files + name).body).hex == hash)
            }
            _ = try again.putFile("after", [1, 2, 3], of: "Work")
            server.kill()
            try expectNothingWrong()
        }
    }
}
