import Foundation
import Glibc
import Testing

extension EndToEnd.Trials {
    @Suite(
        "Two people of one machine, each with a daemon",
        .enabled(if: getpwnam("games") != nil && getpwnam("nobody") != nil),
        .enabled(if: Laptop.isPossibleForAll, "needs a /dev/fuse for everybody"))
    struct TwoUsersTests {
        /// What the database keeps in memory, and a heap with some holes in it; what is kept for each change would be more.
        private static let mostMoreMiB = 24

        @Test("have the same tree after thousands of changes and a death of the server")
        func people() throws {
            let server = try ServerProcess(["--listen", "127.0.0.1:\(try FreePort.find())"])
            defer { server.kill() }
            let (left, right) = (
                try Laptop("left", user: "games"), try Laptop("right", user: "nobody")
            )
            let here = try left.connect("Work", to: server)
            let there = try right.connect("Work", to: server)
            #expect(try left.shell("id -un; stat -c %U .", in: here) == "games\ngames\n")
            #expect(throws: Failure.self) { try Laptop.shell("ls", in: here) }
            func work(steps: Int, seed: Int) -> [Meanwhile<String>] {
                // Slowly enough for what is removed not to be held back as a mistake.
                let work = RandomWork(steps: steps, pauseSeconds: 0.035)
                return [
                    work.start(as: "left", seed: seed, on: left, in: here),
                    work.start(as: "right", seed: seed + 1, on: right, in: there),
                ]
            }
            func settle() throws {
                for laptop in [left, right, left] { try laptop.settle("Work", upTo: .seconds(600)) }
            }

            // The morning, with all that stays for the next time: connections, readers, pages of the database.
            let morning = work(steps: 3000, seed: 5)
            sleep(4)
            server.kill()
            sleep(4)
            try server.restart()
            var said = try morning.map { try $0.result() }
            try settle()
            let before = try Holding.all(of: "Work", server, [left, right])

            said += try work(steps: 3000, seed: 7).map { try $0.result() }
            try settle()

            let tree = try RandomWork.tree(on: left, in: here)
            #expect(
                try Patience.until(upTo: .seconds(120)) {
                    try RandomWork.tree(on: right, in: there) == RandomWork.tree(on: left, in: here)
                })
            #expect(RandomWork.faults(of: said, in: tree) == [])
            #expect(try RandomWork.lost(of: said, in: tree, on: left, in: here) == [])
            Trial.tell(
                "two users: \(tree.split(separator: "\n").count) files and folders")

            let after = try Holding.all(of: "Work", server, [left, right])
            for (old, new) in zip(before, after) {
                Trial.tell(
                    "two users: \(new.name): \(old.memoryMiB) → \(new.memoryMiB) MiB, \(old.files) → \(new.files) files open"
                )
                #expect(new.files <= old.files + 16)
                #expect(new.memoryMiB <= old.memoryMiB + Self.mostMoreMiB)
            }
            for laptop in [left, right] {
                #expect(try laptop.basket("check", "Work").ending == .exit(0))
            }
        }
    }
}
