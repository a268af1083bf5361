import Synchronization
import Testing

@testable import BasketSupport

@Suite("Turns", .timeLimit(.minutes(60)))
struct TurnsTests {
    private final class Tally: Sendable {
        let state = Mutex((working: 0, most: 0, done: 0))
    }

    @Test("are taken by so many at once, in the order of asking")
    func order() async throws {
        let turns = Turns(2)
        let tally = Tally()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    try await turns.take {
                        tally.state.withLock { state in
                            state.working += 1
                            state.most = max(state.most, state.working)
                        }
                        await Task.yield()
                        tally.state.withLock { state in
                            state.working -= 1
                            state.done += 1
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        let (most, done) = tally.state.withLock { ($0.most, $0.done) }
        #expect(most <= 2 && done == 50)
    }

    @Test("are not waited for by who is cancelled, nor lost by who fails")
    func cancelled() async throws {
        struct Failure: Error {}
        let turns = Turns(1)
        await #expect(throws: Failure.self) { try await turns.take { throw Failure() } }
        try await turns.take {
            let waiting = Task { try await turns.take {} }
            waiting.cancel()
            await #expect(throws: CancellationError.self) { try await waiting.value }
        }
        try await turns.take {}
    }
}
