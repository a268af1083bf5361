import BasketSupport
import FileProvider
import Foundation
import Synchronization
import Testing

@testable import BasketProvider

@Suite("A call of the system's", .timeLimit(.minutes(60)))
struct CallRegistryTests {
    @Test("that is cancelled while its work ends gives back what the work has brought")
    func unheard() async throws {
        let calls = CallRegistry(world: .live(log: .silent))
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        let heard = Mutex<[String]>([])
        let (given, give) = AsyncStream.makeStream(of: String.self)

        let progress = calls.begin { _ in
            // Deaf to being cancelled, as work is in its last moment.
            await Task { for await _ in ends {} }.value
            return "file"
        } finish: { result in
            heard.withLock { $0.append("\(result.failure == nil)") }
        } unheard: {
            give.yield($0)
        }
        progress.cancelAtOnce()
        #expect(heard.withLock { $0 } == ["false"])
        end.finish()

        var iterator = given.makeAsyncIterator()
        #expect(await iterator.next() == "file")
        #expect(heard.withLock { $0 } == ["false"])
    }

    @Test("is seen to while it waits for others, but not for ever")
    func waits() async throws {
        var world = World.live(log: .silent)
        let looks = Mutex(0)
        world.sleep = { _ in
            looks.withLock { $0 += 1 }
            try await Task.sleep(for: .microseconds(100))
        }
        let calls = CallRegistry(world: world)
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        let moves = Mutex(0)
        let progress = calls.begin { progress in
            progress.expect(3)
            for await _ in ends {}
        } finish: { _ in
        }
        var last = progress.totalUnitCount
        while looks.withLock({ $0 }) < 2000 {
            let now = progress.totalUnitCount
            if now != last { moves.withLock { $0 += 1 } }
            last = now
            await Task.yield()
        }
        #expect(moves.withLock { $0 } > 3)
        let still = progress.totalUnitCount
        // However rarely somebody looks, it is another number than before.
        #expect(still == 3 + 120)
        for _ in 0..<20 {
            try await Task.sleep(for: .milliseconds(1))
            #expect(progress.totalUnitCount == still)
        }
        end.finish()
        try await SessionTests.until { progress.isFinished }
        #expect(progress.totalUnitCount == 3)
        // Nobody looks when there is nothing to see.
        var looked = -1
        while looks.withLock({ $0 }) != looked {
            looked = looks.withLock { $0 }
            try await Task.sleep(for: .milliseconds(50))
        }
    }
}
