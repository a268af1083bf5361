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
}
