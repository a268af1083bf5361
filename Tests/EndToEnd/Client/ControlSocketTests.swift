import Foundation
import Testing

extension EndToEnd {
    /// What is said over the sockets of a daemon and of its hosts.
    @Suite(
        "The control sockets", .enabled(if: Laptop.isPossible), .serialized, .timeLimit(.minutes(5))
    )
    struct ControlSocketTests {
        /// A client that anybody could write: `ask(path, bytes)` brings the lines that come.
        private static let client = """
            import json, os, socket, time
            def ask(path, data, lines=1):
                s = socket.socket(socket.AF_UNIX); s.settimeout(20); s.connect(path)
                try: s.sendall(data)
                except OSError: pass
                f = s.makefile("rb")
                return [json.loads(f.readline() or b"null") for _ in range(lines)]
            def code(answer): return answer["error"]["code"]
            """

        private static func python(_ script: String, in folder: String) throws -> String {
            try Laptop.shell("python3 - <<'END'\n\(client)\n\(script)\nEND\n", in: folder)
        }

        @Test("are there again where their folder has gone, as with a person's last log-in")
        func logOut() throws {
            let server = try ServerProcess()
            defer { server.kill() }
            let laptop = try Laptop()
            let folder = try laptop.connect("Work", to: server)
            let host = try laptop.host(of: "Work")
            try FileManager.default.removeItem(atPath: laptop.sockets)
            try Laptop.shell(
                "for i in $(seq 100); do [ -S daemon.sock ] && ls domain-*.sock && exit; sleep 0.1; done",
                in: Self.made(laptop.sockets))
            #expect(try laptop.expect("why", folder).contains("policy"))
            try laptop.expect("status")
            #expect(try laptop.host(of: "Work") == host)
        }

        /// The folder around the sockets comes back with the next log-in.
        private static func made(_ folder: String) throws -> String {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true)
            return folder
        }

        @Test("answer what is asked in any form, and hear nobody else")
        func conversation() throws {
            let server = try ServerProcess()
            defer { server.kill() }
            let laptop = try Laptop()
            _ = try laptop.connect("Work", to: server)

            let said = try Self.python(
                """
                print(oct(os.stat("daemon.sock").st_mode)[-3:], oct(os.stat(".").st_mode)[-3:])
                print(code(ask("daemon.sock", b"garbage\\n")[0]))
                print(code(ask("daemon.sock", b'{"v":1,"ask":"dance","id":"7"}\\n')[0]))
                print(code(ask("daemon.sock", b'{"v":2,"ask":"hello"}\\n')[0]))
                print(code(ask("daemon.sock", b'{"v":1,"ask":"remove","domain":"none"}\\n')[0]))
                print(code(ask("daemon.sock", b"x" * (3 << 20))[0]))
                domain = ask("daemon.sock", b'{"v":1,"ask":"domains"}\\n')[0]["answer"]["domains"][0]
                print(domain["name"], domain["state"])
                many = b"".join(b'{"v":1,"ask":"status","id":"%d"}\\n' % i for i in range(500))
                print(len({line["id"] for line in ask(domain["socket"], many, 500)}))
                for i in range(200): socket.socket(socket.AF_UNIX).connect(domain["socket"])
                idle = [socket.socket(socket.AF_UNIX) for _ in range(80)]
                for s in idle: s.connect("daemon.sock")
                for s in idle: s.close()
                time.sleep(1)
                print("answer" in ask("daemon.sock", b'{"v":1,"ask":"hello"}\\n')[0])
                os.chmod("daemon.sock", 0o666); os.chmod(".", 0o755); os.chmod("..", 0o755); os.chmod("../..", 0o755)
                os.setuid(65534)
                try: print(ask("daemon.sock", b'{"v":1,"ask":"stop"}\\n')[0] or "not heard")
                except OSError as error: print("not heard")
                """, in: laptop.sockets)

            #expect(
                said.split(separator: "\n") == [
                    "600 700", "not_json", "unknown_request", "wrong_version", "no_such_domain",
                    "too_long", "Work serving", "500", "True", "not heard",
                ])
            #expect(try laptop.basket("status").ending == .exit(0))
        }
    }
}
