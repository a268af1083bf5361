import Foundation
import TestSupport
import Testing

extension EndToEnd {
    @Suite(
        "The room in a domain's folder", .enabled(if: Laptop.isPossible), .timeLimit(.minutes(5)))
    struct RoomTests {
        /// What `df` says, in bytes.
        private static func room(of folder: String) throws -> (
            size: Int64, used: Int64, free: Int64
        ) {
            let line = try Laptop.shell("df -B1 --output=size,used,avail . | tail -1", in: folder)
            let numbers = line.split(separator: " ").compactMap {
                Int64($0.trimmingCharacters(in: .whitespacesAndNewlines))
            }
            guard numbers.count == 3 else { throw Failure("df says: \(line)") }
            return (numbers[0], numbers[1], numbers[2])
        }

        @Test(
            "is what its person gives it on this machine, from the moment on in which they say so")
        func cache() throws {
            let server = try ServerProcess()
            defer { server.kill() }
            let laptop = try Laptop()
            let folder = try laptop.connect("Work", to: server)
            try Laptop.shell(
                "for i in 1 2 3 4 5 6 7 8; do head -c 1M /dev/urandom >$i; sleep 0.1; done",
                in: folder)
            try laptop.settle("Work")
            func here() throws -> Int {
                try laptop.basket("cache", "--json").output.split(separator: "\n").count
            }
            #expect(try here() == 8)
            let file = laptop.home + "/.config/basket/client.conf"
            try FileManager.default.createDirectory(
                atPath: (file as NSString).deletingLastPathComponent,
                withIntermediateDirectories: true)
            try "cache-most = 5MiB\n".write(toFile: file, atomically: true, encoding: .utf8)
            let (ending, output, _) = try laptop.basket("config")
            #expect(ending == .exit(0))
            #expect(output.contains("cache-most = 5MiB\t# \(file):1\n"))
            #expect(try Patience.until(upTo: .seconds(30)) { try here() <= 5 })
            try Laptop.shell("cat 1 2 3 4 5 6 7 8 2>&1 >/dev/null", in: folder)
            #expect(try Patience.until(upTo: .seconds(30)) { try here() <= 5 })

            // A mistake is told with its place, and what was set before holds.
            try "cache-most = many\n".write(toFile: file, atomically: true, encoding: .utf8)
            let (refused, _, said) = try laptop.basket("config")
            #expect(refused != .exit(0))
            #expect(said.contains("client.conf:1"), "\(said)")
            #expect(try laptop.basket("doctor").output.contains("client.conf:1"))
            try Laptop.shell("cat 1 2 3 4 5 6 7 8 2>&1 >/dev/null", in: folder)
            #expect(try Patience.until(upTo: .seconds(30)) { try here() <= 5 })

            // What the daemon was started with outweighs the file, whoever asks.
            try "cache-most = 5MiB\n".write(toFile: file, atomically: true, encoding: .utf8)
            laptop.stopDaemon()
            try laptop.startDaemon(with: ["BASKET_CACHE_MOST=4MiB"])
            #expect(
                try Patience.until(upTo: .seconds(20)) {
                    try laptop.basket("config").output
                        .contains("cache-most = 4MiB\t# BASKET_CACHE_MOST")
                })
            #expect(try Patience.until(upTo: .seconds(30)) { try here() <= 4 })
        }

        @Test("is what the server gives the domain, also when the server is gone")
        func quota() throws {
            let server = try ServerProcess()
            defer { server.kill() }
            let laptop = try Laptop()
            let folder = try laptop.connect("Work", to: server)
            let answer = try server.caller().call(
                "PATCH", "/v1/domains/Work", json: ["quota": 50_000_000])
            #expect(answer.status == 200)
            try Laptop.shell("head -c 20M /dev/urandom >big", in: folder)
            try laptop.settle("Work")

            // Numbers are blocks, and what was known a moment ago counts for some seconds.
            let (size, used) = (50_000_000 / 4096 * 4096 as Int64, 20 << 20 as Int64)
            var room = try Self.room(of: folder)
            let isSame = try Patience.until(upTo: .seconds(30)) {
                room = try Self.room(of: folder)
                return abs(room.size - size) <= 8192 && abs(room.used - used) <= 8192
                    && abs(room.free - (size - used)) <= 8192
            }
            #expect(isSame, "\(room)")

            server.kill()
            let began = Moment.now
            #expect(abs(try Self.room(of: folder).used - used) <= 8192)
            #expect(Moment.now - began < .seconds(3))
        }
    }
}
