import Foundation
import Glibc
import Testing

extension EndToEnd {
    @Suite(
        "A person at a terminal", .enabled(if: Laptop.isPossible), .serialized,
        .timeLimit(.minutes(3)))
    struct TerminalTests {
        /// Runs the program at a terminal of its own: prints what that shows, and how it ends. A line is typed where the
        /// screen shows what it answers.
        private static let terminal = """
            import json, os, pty, select, sys, time
            answers, words = json.loads(sys.argv[1]), sys.argv[2:]
            child, screen = pty.fork()
            if child == 0:
                os.execv(words[0], words)
            shown, seen, last = b"", 0, time.monotonic()
            while time.monotonic() - last < 30:
                if not select.select([screen], [], [], 0.1)[0]:
                    continue
                try:
                    part = os.read(screen, 4096)
                except OSError:
                    break
                if not part:
                    break
                shown, last = shown + part, time.monotonic()
                if answers and answers[0][0].encode() in shown[seen:]:
                    seen = len(shown)
                    os.write(screen, answers.pop(0)[1].encode())
            status = os.waitpid(child, 0)[1]
            sys.stdout.write(shown.decode(errors="replace"))
            print("\\nit ends with", os.waitstatus_to_exitcode(status))
            """

        private static func show(
            _ words: [String], answering answers: [(String, String)], on laptop: Laptop
        ) throws -> String {
            let script = laptop.home + "/terminal.py"
            try terminal.write(toFile: script, atomically: true, encoding: .utf8)
            let json = try JSONEncoder().encode(answers.map { [$0.0, $0.1] })
            let quoted = ([String(decoding: json, as: UTF8.self), laptop.program] + words)
                .map { "'\($0)'" }.joined(separator: " ")
            return try laptop.shell("python3 -B '\(script)' \(quoted)", in: "/")
        }

        @Test(
            "is asked for the password, which is not shown, and connects nothing where it is wrong")
        func password() throws {
            let server = try ServerProcess()
            defer { server.kill() }
            let laptop = try Laptop()
            let words = [
                "connect", "Work", "--server", "http://127.0.0.1:\(server.port)", "--account",
                "admin",
            ]
            let shown = try Self.show(
                words, answering: [("assword", server.password + "\n")], on: laptop)
            #expect(shown.contains("it ends with 0"), "\(shown)")
            #expect(!shown.contains(server.password))
            #expect(shown.contains(laptop.domains + "/Work"))

            let other = try Laptop("other")
            let wrong = try Self.show(words, answering: [("assword", "guess\n")], on: other)
            #expect(!wrong.contains("guess"))
            #expect(!wrong.contains("it ends with 0"), "\(wrong)")
        }

        @Test("sees how far something is in one line, which is free again at the end")
        func progress() throws {
            let server = try ServerProcess()
            defer { server.kill() }
            let laptop = try Laptop()
            let folder = try laptop.connect("Work", to: server)
            try Laptop.shell("printf old > one", in: folder)
            try laptop.settle("Work")
            server.process.signal(SIGSTOP)
            try Laptop.shell("head -c 8M /dev/urandom > one", in: folder)
            let command = Meanwhile {
                try Self.show(["wait", "Work"], answering: [], on: laptop)
            }
            let elsewhere = Meanwhile { try laptop.basket("wait", "Work") }
            sleep(3)
            server.process.signal(SIGCONT)
            let shown = try command.result()
            #expect(shown.contains("it ends with 0"), "\(shown)")
            // What lies in the kernel's own buffers counts as sent.
            #expect(shown.contains(".....] "), "\(shown)")
            #expect(shown.contains(" of 8.0 MiB, 1 item waits"), "\(shown)")
            // Where nobody sits, lines, each with its end.
            let said = try elsewhere.result()
            #expect(said.ending == .exit(0))
            #expect(said.errors.contains("of 8.0 MiB, 1 item waits\n"), "\(said.errors)")
            #expect(!said.errors.contains("\r") && !said.errors.contains("\u{1B}"))
            let lines = shown.components(separatedBy: "\r\u{1B}[K")
            #expect(lines.first == "", "\(shown)")
            #expect(lines.dropFirst().first?.contains("1 item waits") == true, "\(shown)")
            #expect(lines.last == "\nit ends with 0\n", "\(shown)")
        }
    }
}
