import Foundation
import Glibc
import TestSupport
import Testing

extension EndToEnd {
    @Suite(
        "A machine that falls asleep",
        .enabled(if: Laptop.isPossible && PrivateBus.isPossible), .timeLimit(.minutes(5)))
    struct SleepTests {
        /// Each in a process of its own, as a hundred programs would be.
        private static let readers = """
            import os
            children = []
            for number in range(100):
                child = os.fork()
                if child == 0:
                    try:
                        with open("file %d" % number, "rb", buffering=0) as file: text = file.read()
                        os._exit(0 if text == b"content" else 1)
                    except OSError as error: os._exit(error.errno)
                children.append(child)
            print("reading", flush=True)
            print(sorted(set(os.WEXITSTATUS(os.waitpid(child, 0)[1]) for child in children)))
            """

        @Test("waits for no program that waits for a server, and goes on when it wakes")
        func readers() throws {
            let server = try ServerProcess()
            defer { server.kill() }
            let bus = try PrivateBus()
            let logind = try #require(FakeLogind(on: bus))
            defer { logind.stop() }
            let (left, right) = (try Laptop("left"), try Laptop("right", bus: bus.address))
            let here = try left.connect("Work", to: server)
            try Laptop.shell(
                "for i in $(seq 0 99); do printf content >\"file $i\"; done", in: here)
            try left.settle("Work")
            let there = try right.connect("Work", to: server)
            #expect(
                Patience.until(upTo: .seconds(60)) { access("\(there)/file 99", F_OK) == 0 })
            #expect(Patience.until { logind.held == 1 })
            let script = there + "-readers.py"
            try Self.readers.write(toFile: script, atomically: true, encoding: .utf8)
            defer { unlink(script) }

            server.process.signal(SIGSTOP)
            let programs = Meanwhile {
                try Laptop.shell("python3 '\(script)'", in: there, upTo: .seconds(60))
            }
            sleep(3)
            let began = Moment.now
            logind.say(sleeps: true)
            #expect(Patience.until { logind.held == 0 })
            #expect(Moment.now - began < .seconds(2))
            let said = try programs.result()
            #expect(said == "reading\n[\(EHOSTUNREACH)]\n")
            #expect(Moment.now - began < .seconds(3))

            server.process.signal(SIGCONT)
            logind.say(sleeps: false)
            #expect(Patience.until { logind.held == 1 })
            let again = try Laptop.shell("python3 '\(script)'", in: there, upTo: .seconds(60))
            #expect(again == "reading\n[0]\n")
        }
    }
}
