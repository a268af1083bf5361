import BasketContent
import BasketSupport
import Glibc
import Testing

extension EndToEnd {
    /// The server dies at a random moment while it is busy, again and again on the same data.
    @Suite("A server that is killed while it works")
    struct CrashTests {
        private static let kills = number("BASKET_TORTURE_KILLS").map { Int($0) } ?? 40
        private static let seed = number("BASKET_TORTURE_SEED") ?? 1
        private static let writers = 4
        /// So short that collection takes away within the test what is dead.
        static let uploadGrace = Duration.seconds(10)
        private static let options = [
            "--collect-every", "40ms", "--upload-grace", uploadGrace.settingText,
            "--keep-deleted", "1s",
        ]
        /// What takes longer the longer the test goes on is looked at every so many kills.
        private static let thorough = 10

        private static func number(_ name: String) -> UInt64? {
            ProcessEnvironment.variables()[name].flatMap { UInt64($0) }
        }

        @Test(
            "keeps every write that it acknowledged, and nothing half-done",
            .timeLimit(.minutes(max(4, kills / 6))))
        func torture() throws {
            let server = try ServerProcess(Self.options)
            defer { server.kill() }
            var random = SeededGenerator(seed: Self.seed)
            var torture = try CrashScene(server, writers: Self.writers, seed: Self.seed)
            var kill = 0
            do {
                while kill < Self.kills {
                    kill += 1
                    let isThorough = kill % Self.thorough == 0 || kill == Self.kills
                    try torture.kill(after: .milliseconds(20 + Int(random.next() % 500)))
                    try torture.check(isDeep: isThorough)
                    // Killed again while it comes back, or while its garbage is collected.
                    switch random.next() % 6 {
                    case 0: try server.startInVain(for: .milliseconds(Int(random.next() % 150)))
                    case 1: try torture.collect(for: .milliseconds(Int(random.next() % 200)))
                    default: break
                    }
                    try server.restart()
                    try torture.verify(isThorough: isThorough)
                    if kill % 100 == 0 { print("\(kill) kills") }
                }
                server.kill()
                try torture.check(isDeep: true)
            } catch {
                Issue.record(
                    "kill \(kill) of `make torture KILLS=\(Self.kills) SEED=\(Self.seed)`: \(error)"
                )
            }
            let writes = torture.acknowledged
            #expect(Set(writes.keys) == CrashWriter.kinds || kill < 20, "something of every kind")
            let counts = writes.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
            print("\(kill) kills; acknowledged: \(counts.joined(separator: ", "))")
        }
    }
}
