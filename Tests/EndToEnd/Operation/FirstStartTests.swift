import Foundation
import Glibc
import Testing

extension EndToEnd {
    @Suite("A server's first start", .timeLimit(.minutes(60)))
    struct FirstStartTests {
        @Test("leaves the first password in a file, where the machine's journal keeps what is said")
        func journal() throws {
            let folder = try TemporaryFolder()
            let (data, said) = (folder.path + "/data", folder.path + "/said")
            let script = """
                exec 2>'\(said)'; JOURNAL_STREAM=$(stat -c %d:%i '\(said)')
                export JOURNAL_STREAM
                exec '\(ServerProgram.path)' serve --data '\(data)' --listen 127.0.0.1:\(try FreePort.find())
                """
            let server = try ChildProcess("/bin/sh", ["-c", script])
            defer { server.signal(SIGKILL) }
            let text = { (try? String(contentsOfFile: said, encoding: .utf8)) ?? "" }
            #expect(Patience.until(upTo: .seconds(60)) { text().contains("listens on") })

            let file = data + "/first-password"
            let password = try String(contentsOfFile: file, encoding: .utf8)
            #expect(password.count > 16 && password.hasSuffix("\n"))
            #expect(text().contains(file))
            #expect(!text().contains(password.dropLast()))
            var facts = stat()
            #expect(stat(file, &facts) == 0 && facts.st_mode & 0o777 == 0o600)
        }
    }
}
