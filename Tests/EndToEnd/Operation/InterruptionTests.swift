import FoundationEssentials
import Glibc
import TestSupport
import Testing

extension EndToEnd {
    @Suite("A command that is told to end", .timeLimit(.minutes(60)))
    struct InterruptionTests {
        @Test(
            "ends, whatever it is about, even where it waits for somebody else",
            arguments: [
                (["account", "list"], SIGTERM), (["check"], SIGINT), (["gc"], SIGHUP),
                (["backup", "copy"], SIGTERM), (["restore", "copy"], SIGINT), (["tls"], SIGTERM),
            ])
        func waiting(command: [String], number: Int32) throws {
            let folder = try TemporaryFolder()
            // Nobody ever writes into it.
            let settings = folder.path + "/settings"
            #expect(mkfifo(settings, 0o600) == 0)
            let process = try ChildProcess(
                ServerProgram.path, command + ["--config", settings, "--data", folder.path])
            #expect(try Patience.until { try Self.hasBegun(process) })

            process.signal(number)

            #expect(process.wait(upTo: .seconds(20)) == .exit(128 + number))
            #expect(process.errors.text == "")
        }

        /// Whether it has come to the point where its work begins: on another thread than the first.
        private static func hasBegun(_ process: ChildProcess) throws -> Bool {
            try FileManager.default.contentsOfDirectory(
                atPath: "/proc/\(process.number)/task"
            ).count > 1
        }

        @Test("goes on behind nohup when its terminal is gone")
        func ignored() throws {
            let folder = try TemporaryFolder()
            let settings = folder.path + "/settings"
            #expect(mkfifo(settings, 0o600) == 0)
            let process = try ChildProcess(
                "/usr/bin/env",
                ["nohup", ServerProgram.path, "config", "--config", settings])
            #expect(try Patience.until { try Self.hasBegun(process) })

            process.signal(SIGHUP)
            #expect(process.wait(upTo: .seconds(2)) == nil)
            let end = open(settings, O_WRONLY)
            close(end)

            #expect(process.wait() == .exit(0))
        }

        @Test("leaves half a backup that nobody takes for a whole one, and the next one completes")
        func halfBackup() throws {
            let server = try Self.serverWithPhoto()
            let blob = try #require(try DataFiles.all(in: server.folder + "/blobs").first)
            let size = try DataFiles.size(of: blob)
            // As much of it as takes a while to copy; it takes no room here.
            #expect(truncate(blob, 4 << 30) == 0)
            let folder = try TemporaryFolder()
            let (copy, new) = (folder.path + "/copy", folder.path + "/new")
            let backup = try ChildProcess(
                ServerProgram.path, ["backup", copy, "--data", server.folder])
            #expect(Patience.until { DataFiles.isBeingWritten(copy) })

            backup.signal(SIGTERM)

            #expect(backup.wait(upTo: .seconds(20)) == .exit(143))
            #expect(backup.output.text == "" && backup.errors.text == "")
            let none = try ServerProgram.run(["restore", copy, "--data", new])
            #expect(none.ending == .exit(1))
            #expect(none.errors.contains("no complete backup"), "\(none.errors)")
            #expect(truncate(blob, size) == 0)
            let again = try ServerProgram.run(["backup", copy, "--data", server.folder])
            #expect(again.ending == .exit(0), "\(again.errors)")
            #expect(try DataFiles.all(in: copy + "/drafts").isEmpty)
            let restore = try ServerProgram.run(["restore", copy, "--deep", "--data", new])
            #expect(restore.ending == .exit(0), "\(restore.output)\(restore.errors)")
        }

        @Test("leaves half a restoration in which no server starts")
        func halfRestoration() throws {
            let server = try Self.serverWithPhoto()
            let folder = try TemporaryFolder()
            let (copy, new) = (folder.path + "/copy", folder.path + "/new")
            #expect(
                try ServerProgram.run(["backup", copy, "--data", server.folder]).ending == .exit(0))
            let blob = try #require(try DataFiles.all(in: copy + "/blobs").first)
            #expect(truncate(blob, 4 << 30) == 0)
            let restore = try ChildProcess(ServerProgram.path, ["restore", copy, "--data", new])
            #expect(Patience.until { DataFiles.isBeingWritten(new) })

            restore.signal(SIGINT)

            #expect(restore.wait(upTo: .seconds(20)) == .exit(130))
            #expect(restore.output.text == "")
            let serve = try ServerProgram.run(["serve", "--data", new, "--listen", "127.0.0.1:0"])
            #expect(serve.ending == .exit(1))
            #expect(serve.errors.contains("did not come to its end"), "\(serve.errors)")
        }

        /// Stopped, with one large file.
        private static func serverWithPhoto() throws -> ServerProcess {
            let server = try ServerProcess()
            let caller = server.caller()
            try caller.makeDomain("Work")
            let photo = [UInt8](repeating: 9, count: 1 << 20)
            _ = try caller.putFile("photo.jpg", photo, of: "Work")
            server.stop()
            return server
        }
    }
}
