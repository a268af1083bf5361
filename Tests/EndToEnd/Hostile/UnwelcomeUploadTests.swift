import BasketSupport
import TestSupport
import Testing

extension EndToEnd {
    @Suite("An upload that is not wanted in the end", .timeLimit(.minutes(60)))
    struct UnwelcomeUploadTests {
        /// Large enough to become a file of its own.
        private static let content = (0..<3 << 20).map { UInt8(truncatingIfNeeded: $0 >> 8) }

        /// The files below the server's folders of contents.
        private func leftovers(_ server: ServerProcess) throws -> [String] {
            let files = LinuxFileSystem()
            var waiting = ["blobs", "drafts"].map { "\(server.folder)/\($0)" }
            var found: [String] = []
            while let path = waiting.popLast() {
                if let names = try? files.list(path) {
                    waiting += names.map { "\(path)/\($0)" }
                } else if files.exists(path) {
                    found.append(path)
                }
            }
            return found
        }

        @Test("because of the quota, leaves nothing on the disk")
        func overQuota() throws {
            let server = try ServerProcess()
            defer { server.kill() }
            let caller = server.caller()
            try caller.makeDomain("Work", ["quota": 1_000_000])
            let client = try WireClient(port: server.port)
            for _ in 0..<3 {
                try client.send(
                    caller.head("PUT", "/v1/domains/Work/files/a", ["Transfer-Encoding": "chunked"])
                )
                try client.send(String(Self.content.count, radix: 16) + "\r\n")
                try client.send(Self.content)
                try client.send("\r\n0\r\n\r\n")
                #expect(try client.answer().code == "insufficient_quota")
            }
            #expect(try Patience.until { try leftovers(server).isEmpty })
        }

        @Test("because it was answered before, leaves nothing either")
        func repeated() throws {
            let server = try ServerProcess()
            defer { server.kill() }
            let caller = server.caller()
            try caller.makeDomain("Work")
            let path = "/v1/domains/Work/files/a"
            let key = ["Idempotency-Key": "once"]
            #expect(try caller.put(path, Self.content, key).status == 201)
            let blobs = try leftovers(server)
            #expect(try caller.put(path, Self.content, key).status == 201)
            let other = Self.content.map { ~$0 }
            #expect(try caller.put(path, other, key).code == "idempotency_key_reused")
            #expect(try Patience.until { try leftovers(server).sorted() == blobs.sorted() })
            #expect(try caller.get(path).body == Self.content)
        }

        @Test("because its device was logged out meanwhile, is refused", arguments: [false, true])
        func revoked(isLocked: Bool) throws {
            let server = try ServerProcess()
            defer { server.kill() }
            let admin = server.caller()
            let member = try server.member("ann")
            try member.makeDomain("Work")
            let client = try WireClient(port: server.port)
            try client.send(
                member.head("PUT", "/v1/domains/Work/files/a", length: Self.content.count))
            try client.send(Array(Self.content.prefix(1 << 20)))
            if isLocked {
                try admin.expect(
                    200,
                    try admin.call("PATCH", "/v1/accounts/ann", json: ["disabled": true]))
            } else {
                try member.expect(204, try member.delete("/v1/sessions/current"))
            }
            try? client.send(Array(Self.content.dropFirst(1 << 20)))
            #expect(try client.answer().status == 401)
            #expect(try Patience.until { try leftovers(server).isEmpty })
        }
    }
}
