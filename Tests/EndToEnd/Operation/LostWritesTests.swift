import BasketContent
import BasketSupport
import TestSupport
import Testing

extension EndToEnd {
    @Suite("A disk that loses what was written", .timeLimit(.minutes(60)))
    struct LostWritesTests {
        /// Built from the source beside the other tools.
        private static func library(in folder: String) throws -> String {
            let root = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
            let library = "\(folder)/lost-writes.so"
            let compile =
                "\"$(dirname \"$(command -v swift)\")/clang\" -O1 -shared -fPIC \"$1\" -o \"$2\""
            let process = try ChildProcess(
                "/bin/sh", ["-c", compile, "sh", "/\(root)/tools/lost-writes.c", library])
            guard process.wait() == .exit(0) else { throw Failure(process.errors.text) }
            return library
        }

        @Test("ends the server before the log that still has it is given up")
        func lost() throws {
            let home = try TemporaryFolder()
            let losing = "\(home.path)/losing"
            let server = try ServerProcess(
                folder: "\(home.path)/data",
                environment: [
                    "LD_PRELOAD": try Self.library(in: home.path), "BASKET_TEST_LOSING": losing,
                ])
            defer { server.kill() }
            let caller = server.caller()
            try caller.makeDomain("Work")
            let files = "/v1/domains/Work/files/"
            var hashes: [String: String] = [:]
            func write(_ index: Int) throws {
                let content = [UInt8]("\(index) ".utf8) + [UInt8](repeating: 7, count: 60_000)
                let answer = try caller.put("\(files)\(index)", content)
                try caller.expect(201, answer)
                hashes["\(index)"] = ContentHash(of: content).hex
            }
            for index in 0..<50 { try write(index) }
            try LinuxFileSystem().replace(losing, with: [])
            var index = 50
            // The log is moved after thousands of pages; each file has fifteen.
            while (try? write(index)) != nil, index < 5000 { index += 1 }

            #expect(index < 5000, "the server did not notice")
            #expect(server.process.wait() == .exit(1))
            let said = server.process.errors.text
            #expect(said.contains("the disk has lost"), "\(said.suffix(300))")

            try LinuxFileSystem().remove(losing)
            try server.restart()
            let again = server.caller()
            for (name, hash) in hashes {
                #expect(ContentHash(of: try again.get(files + name).body).hex == hash)
            }
            #expect(server.stop() == .exit(0))
            let check = try ServerProgram.run(["check", "--deep", "--data", server.folder])
            #expect(check.ending == .exit(0), "\(check.output)")
        }
    }
}
