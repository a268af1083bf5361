import Foundation
import Glibc
import Testing

extension EndToEnd {
    /// A day's work on two machines, in a minute.
    @Suite(
        "A day of work",
        .enabled(if: Laptop.isPossible), .serialized, .timeLimit(.minutes(20)))
    struct DayTests {
        /// Works at random, in a folder of its own, whose end it prints as a list, and in one that both share, where it
        /// makes files of its own names and changes those of others.
        private static let work = """
            import os, random, sys, hashlib
            who, seed, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
            r = random.Random(seed); own = {}; folders = [who]; made = []
            os.makedirs(who, exist_ok=True); os.makedirs("shared", exist_ok=True)
            def name(): return "%s%d" % (r.choice("abcdefgh"), r.randrange(10**9))
            def data(): return ("%s %d\\n" % (who, r.randrange(10**12))).encode() * r.choice([1, 10, 1000])
            def write(path, bytes):
                with open(path, "wb") as f: f.write(bytes)
            for step in range(count):
                act = r.randrange(12)
                files = sorted(own)
                if act < 3 or not files:
                    path = r.choice(folders) + "/" + name(); own[path] = data(); write(path, own[path])
                elif act == 3:
                    path = r.choice(files); more = data(); own[path] += more
                    with open(path, "ab") as f: f.write(more)
                elif act == 4:
                    path = r.choice(files); own[path] = data()
                    write(path + ".draft", own[path]); os.rename(path + ".draft", path)
                elif act == 5:
                    path = r.choice(files); new = r.choice(folders) + "/" + name(); os.rename(path, new); own[new] = own.pop(path)
                elif act == 6 and len(files) > 20:
                    path = r.choice(files); os.unlink(path); del own[path]
                elif act == 7:
                    new = r.choice(folders) + "/" + name(); os.mkdir(new); folders.append(new)
                elif act == 8:
                    path = r.choice(files)
                    with open(path, "rb") as f: assert f.read() == own[path], path
                elif act == 9:
                    path = "shared/" + who + name(); made.append(path); write(path, data())
                else:
                    try:
                        path = "shared/" + r.choice(sorted(os.listdir("shared")))
                        if r.randrange(2): write(path, data())
                        else: open(path, "rb").read()
                    except (IndexError, OSError): pass
            for path in sorted(own): print(hashlib.sha256(own[path]).hexdigest(), path)
            for path in made: print("made", path)
            """

        private static let tree =
            "find . -type f -printf '%P\\n' | sort | while read -r f; do echo \"$(sha256sum <\"$f\" | cut -d ' ' -f 1) $f\"; done; find . -type d | sort"

        private static func openFiles(of process: pid_t) -> Int {
            (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd").count) ?? 0
        }

        /// What befalls the server meanwhile.
        enum Outage: CaseIterable, Sendable {
            case none, restart, death
        }

        @Test(
            "leaves the same on both machines, loses nothing, and makes nothing twice",
            arguments: Outage.allCases)
        func day(outage: Outage) throws {
            let server = try ServerProcess(["--listen", "127.0.0.1:\(try FreePort.find())"])
            defer { server.kill() }
            let machines = (try Laptop("left"), try Laptop("right"))
            let folders = (
                try machines.0.connect("Work", to: server),
                try machines.1.connect("Work", to: server)
            )
            let script = folders.0 + "-work.py"
            try Self.work.write(toFile: script, atomically: true, encoding: .utf8)
            defer { unlink(script) }
            let host = try #require(try machines.0.host(of: "Work"))
            let before = Self.openFiles(of: host)

            func work(_ who: String, _ folder: String, _ seed: Int) -> Meanwhile<String> {
                Meanwhile {
                    try Laptop.shell(
                        "python3 '\(script)' \(who) \(seed) 600", in: folder, upTo: .seconds(300))
                }
            }
            let (left, right) = (work("left", folders.0, 1), work("right", folders.1, 2))
            if outage != .none {
                sleep(3)
                if outage == .death { server.kill() } else { server.stop() }
                sleep(3)
                try server.restart()
            }
            let said = (try left.result(), try right.result())
            try machines.0.settle("Work")
            try machines.1.settle("Work")

            let same = Patience.until(upTo: .seconds(120)) {
                guard let one = try? Laptop.shell(Self.tree, in: folders.0),
                    let other = try? Laptop.shell(Self.tree, in: folders.1)
                else { return false }
                return one == other
            }
            let tree = try Laptop.shell(Self.tree, in: folders.0)
            #expect(same)
            let lines = Set(tree.split(separator: "\n"))
            for own in (said.0 + said.1).split(separator: "\n") where !own.hasPrefix("made ") {
                #expect(lines.contains(own))
            }
            let names = tree.split(separator: "\n").map { $0.split(separator: " ").last ?? "" }
            for made in (said.0 + said.1).split(separator: "\n") where made.hasPrefix("made ") {
                #expect(names.filter { $0 == made.dropFirst(5) }.count == 1)
            }
            #expect(!names.contains { $0.hasSuffix(".draft") })
            #expect(try machines.0.basket("status").ending == .exit(0))
            #expect(try machines.0.host(of: "Work") == host)
            // Connections and readers of the database stay for the next time, and are so many at most.
            #expect(Patience.until(upTo: .seconds(60)) { Self.openFiles(of: host) <= before + 64 })
        }
    }
}
