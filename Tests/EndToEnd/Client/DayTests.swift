import Foundation
import Glibc
import Testing

extension EndToEnd {
    /// A day's work on two machines, in a minute.
    @Suite(
        "A day of work",
        .enabled(if: Laptop.isPossible), .serialized, .timeLimit(.minutes(20)))
    struct DayTests {
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
            let host = try #require(try machines.0.host(of: "Work"))
            func holdings() throws -> [Holding] {
                try Holding.all(of: "Work", server, [machines.0, machines.1])
            }
            let before = try holdings()

            let work = RandomWork(steps: 600)
            let left = work.start(as: "left", seed: 1, on: machines.0, in: folders.0)
            let right = work.start(as: "right", seed: 2, on: machines.1, in: folders.1)
            if outage != .none {
                sleep(3)
                if outage == .death { server.kill() } else { server.stop() }
                sleep(3)
                try server.restart()
            }
            let said = [try left.result(), try right.result()]
            try machines.0.settle("Work")
            try machines.1.settle("Work")

            let same = Patience.until(upTo: .seconds(120)) {
                guard let one = try? RandomWork.tree(on: machines.0, in: folders.0),
                    let other = try? RandomWork.tree(on: machines.1, in: folders.1)
                else { return false }
                return one == other
            }
            let tree = try RandomWork.tree(on: machines.0, in: folders.0)
            #expect(same)
            #expect(RandomWork.faults(of: said, in: tree) == [])
            #expect(
                try RandomWork.lost(of: said, in: tree, on: machines.0, in: folders.0) == [])
            // What was read just now is being noted.
            var status = try machines.0.basket("status")
            let isSafe = try Patience.until(upTo: .seconds(30)) {
                if status.ending == .exit(0) { return true }
                status = try machines.0.basket("status")
                return false
            }
            #expect(isSafe, "\(status)")
            #expect(try machines.0.host(of: "Work") == host)
            // Connections and readers of the database stay for the next time, and are so many at most.
            let isLetGo = try Patience.until(upTo: .seconds(60)) {
                try zip(before, holdings()).allSatisfy { $1.files <= $0.files + 64 }
            }
            let held = try holdings()
            #expect(isLetGo, "\(held)")
        }
    }
}
