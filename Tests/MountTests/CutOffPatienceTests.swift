import BasketSupport
import FileProviderReplica
import Glibc
import Synchronization
import Testing

@testable import FileProviderMount

@Suite("Patience with whom nobody could reach last")
struct CutOffPatienceTests {
    /// A clock that goes on by what somebody sleeps.
    private final class Clock: Sendable {
        let time = Mutex(Duration.seconds(100))
        let asked = Mutex(0)

        var world: World {
            var world = World.live(log: .silent)
            world.uptime = { self.time.withLock(\.self) }
            world.sleep = { duration in self.time.withLock { $0 += duration } }
            return world
        }

        /// - Returns: how long it took, and what came of it.
        func ask(
            _ patience: CutOffPatience, _ body: @escaping @Sendable () async throws -> Void
        ) async -> (Duration, (any Error)?) {
            let began = time.withLock(\.self)
            do {
                try await patience.ask {
                    self.asked.withLock { $0 += 1 }
                    try await body()
                }
                return (time.withLock(\.self) - began, nil)
            } catch {
                return (time.withLock(\.self) - began, error)
            }
        }
    }

    private static let never: @Sendable () async throws -> Void = {
        try await Task.sleep(for: .seconds(3600))
    }

    @Test("waits a moment for the first, and for a while not at all for others")
    func silent() async {
        let clock = Clock()
        let patience = CutOffPatience(world: clock.world)
        for expected in [Duration.seconds(2), .zero, .zero] {
            let (time, error) = await clock.ask(patience, Self.never)
            #expect(time == expected)
            #expect(error as? Refusal == Refusal(EHOSTUNREACH))
        }
        #expect(clock.asked.withLock(\.self) == 1)
        clock.time.withLock { $0 += .seconds(6) }
        #expect(await clock.ask(patience, Self.never).0 == .seconds(2))
        #expect(clock.asked.withLock(\.self) == 2)
    }

    @Test("remembers what was refused at once as well, and forgets it with the first answer")
    func refused() async {
        let clock = Clock()
        var world = clock.world
        world.sleep = { _ in try await Self.never() }
        let patience = CutOffPatience(world: world)
        for _ in 0..<2 {
            let error = await clock.ask(patience) { throw Refusal(EKEYREJECTED) }.1
            #expect(error as? Refusal == Refusal(EKEYREJECTED))
        }
        #expect(clock.asked.withLock(\.self) == 1)
        clock.time.withLock { $0 += .seconds(6) }
        for _ in 0..<3 { #expect(await clock.ask(patience) {}.1 == nil) }
        #expect(clock.asked.withLock(\.self) == 4)
    }

    @Test("tells nobody of what is wrong with another file")
    func otherFile() async {
        let clock = Clock()
        var world = clock.world
        world.sleep = { _ in try await Self.never() }
        let patience = CutOffPatience(world: world)
        let error = await clock.ask(patience) { throw LocalError.notFound }.1
        #expect(error as? LocalError == .notFound)
        #expect(await clock.ask(patience) {}.1 == nil)
    }
}
