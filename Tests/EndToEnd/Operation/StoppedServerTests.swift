import Glibc
import TestSupport
import Testing

extension EndToEnd {
    @Suite("A server that is stopped", .timeLimit(.minutes(60)))
    struct StoppedServerTests {
        private static let photo = [UInt8](repeating: 9, count: 1 << 20)

        /// A server with a large and a small file, stopped.
        private func server(deleting deleted: String? = nil) throws -> ServerProcess {
            let server = try ServerProcess()
            let caller = server.caller()
            try caller.makeDomain("Work")
            _ = try caller.putFile("photo.jpg", Self.photo, of: "Work")
            _ = try caller.putFile("note", [1, 2, 3], of: "Work")
            if let deleted {
                try caller.expect(204, try caller.delete("/v1/domains/Work/files/\(deleted)"))
            }
            #expect(server.stop() == .exit(0))
            return server
        }

        @Test("gives back in one run what was deleted, and only when it is told so")
        func now() throws {
            let server = try server(deleting: "photo.jpg")
            let gc = { (options: [String]) in
                try ServerProgram.run(["gc", "--data", server.folder] + options)
            }

            #expect(try gc(["--now"]).ending == .exit(0))
            #expect(try DataFiles.all(in: server.folder + "/blobs").count == 1)
            #expect(try gc(["--keep-deleted", "1ms"]).ending == .exit(0))
            #expect(try DataFiles.all(in: server.folder + "/blobs").count == 1)
            let last = try gc(["--keep-deleted", "1ms", "--now", "--json"])
            #expect(last.ending == .exit(0), "\(last.errors)")
            #expect(try JSON(Array(last.output.utf8))["bytesFreed"].integer == Self.photo.count)
            #expect(try DataFiles.all(in: server.folder + "/blobs").isEmpty)
        }

        @Test("that lost a file is backed up without it, says so, and the rest can be restored")
        func lost() throws {
            let server = try server()
            let folder = try TemporaryFolder()
            let (copy, new) = (folder.path + "/copy", folder.path + "/new")
            let blob = try #require(try DataFiles.all(in: server.folder + "/blobs").first)
            #expect(unlink(blob) == 0)

            let backup = try ServerProgram.run(["backup", copy, "--data", server.folder])

            #expect(backup.ending == .exit(15))
            #expect((backup.output + backup.errors).contains("photo.jpg"), "\(backup)")
            let restore = try ServerProgram.run(["restore", copy, "--data", new])
            #expect(restore.ending == .exit(14), "it tells of the damage: \(restore)")
            #expect(rename(server.folder, folder.path + "/old") == 0)
            #expect(rename(new, server.folder) == 0)
            try server.restart()
            defer { server.kill() }
            let caller = server.caller()
            #expect(try caller.get("/v1/domains/Work/files/note").body == [1, 2, 3])
            #expect(try caller.get("/v1/domains/Work/files/photo.jpg").status == 500)
        }
    }
}
