import Foundation
import Glibc
import TestSupport
import Testing

extension EndToEnd {
    @Suite(
        "A program of which another version was installed", .enabled(if: Laptop.isPossible),
        .timeLimit(.minutes(5)))
    struct RenewalTests {
        /// - Returns: nil of none, and while a program takes the place of one with several threads.
        private static func program(of process: pid_t) -> String? {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/exe")
        }

        private static func install(for laptop: Laptop, _ make: (String) throws -> Void) throws {
            let newer = laptop.program + ".new"
            try make(newer)
            chmod(newer, 0o755)
            guard rename(newer, laptop.program) == 0 else { throw Failure("\(errno)") }
        }

        @Test("gives its place to that, under programs that have files open", arguments: 1...3)
        func renewed(round: Int) throws {
            let server = try ServerProcess(["--listen", "127.0.0.1:\(try FreePort.find())"])
            defer { server.kill() }
            let laptop = try Laptop(hasOwnProgram: true)
            let folder = try laptop.connect("Work", to: server)
            // Somebody watches it, for whom errands are run.
            let other = try Laptop("other")
            let there = try other.connect("Work", to: server)
            let watcher = try ChildProcess(
                "/usr/bin/inotifywait", ["--quiet", "--monitor", folder])
            defer { watcher.signal(SIGKILL) }
            try Laptop.shell("head -c 200000000 /dev/urandom >large; echo kept >kept", in: folder)
            let daemon = try #require(laptop.process)
            let host = try #require(try laptop.host(of: "Work"))

            let theirs = try SafeWork.start(as: "other", seed: round, in: there)
            defer { theirs.signal(SIGKILL) }
            let writer = Meanwhile {
                try Laptop.shell(
                    "exec 9>>held; for i in $(seq 300); do echo $i >&9; sleep 0.02; done",
                    in: folder, upTo: .seconds(60))
            }
            let reader = Meanwhile {
                try Laptop.shell(
                    "exec 8<kept; sleep 5; cat <&8; for i in 1 2 3; do cp large copy; done",
                    in: folder, upTo: .seconds(120))
            }
            usleep(useconds_t(500_000 * round))
            try Self.install(for: laptop) {
                try FileManager.default.copyItem(atPath: laptop.program, toPath: $0)
            }
            kill(daemon, SIGHUP)

            #expect(
                Patience.until(upTo: .seconds(60)) {
                    Self.program(of: daemon) == laptop.program
                })
            var next: pid_t?
            #expect(
                Patience.until(upTo: .seconds(60)) {
                    next = try? laptop.host(of: "Work")
                    guard let next, next != host else { return false }
                    return Self.program(of: next) == laptop.program
                })
            #expect(access("/proc/\(host)", F_OK) != 0)
            _ = try writer.result()
            #expect(try reader.result() == "kept\n")
            try Laptop.shell("cmp large copy; seq 300 | cmp - held", in: folder)
            theirs.signal(SIGKILL)
            theirs.wait()
            try other.settle("Work")
            try laptop.settle("Work")
            #expect(try laptop.basket("status").ending == .exit(0))
            #expect(laptop.process == daemon)
            #expect(try laptop.host(of: "Work") == next)
        }

        @Test("goes on itself where that cannot be started, or nothing was installed")
        func broken() throws {
            let server = try ServerProcess()
            defer { server.kill() }
            let laptop = try Laptop(hasOwnProgram: true)
            let folder = try laptop.connect("Work", to: server)
            let daemon = try #require(laptop.process)
            let host = try #require(try laptop.host(of: "Work"))
            for isThere in [false, true] {
                if isThere {
                    try Self.install(for: laptop) {
                        try Data("#!/bin/sh\nexit 7\n".utf8).write(to: URL(fileURLWithPath: $0))
                    }
                }
                kill(daemon, SIGHUP)
                sleep(1)
                try Laptop.shell("echo kept >file; cat file", in: folder)
                // What was installed says nothing of it.
                #expect(try #require(Self.program(of: host)).hasPrefix(laptop.program))
            }
        }
    }
}
