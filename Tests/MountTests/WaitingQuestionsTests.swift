import BasketSupport
import Synchronization
import Testing

@testable import FileProviderMount

@Suite("Questions that wait", .timeLimit(.minutes(1)))
struct WaitingQuestionsTests {
    private final class Clock: Sendable {
        let now = Mutex(Duration.zero)
        let isCutOff = Mutex(true)
    }

    private let clock = Clock()
    private let read = FuseQuestion.read(2, handle: 1, at: 0, count: 1)

    private func questions() -> WaitingQuestions {
        var world = World.live(log: .silent)
        world.uptime = { [clock] in clock.now.withLock { $0 } }
        world.sleep = { [clock] pause in
            clock.now.withLock { $0 += pause }
            await Task.yield()
        }
        return WaitingQuestions(patience: .seconds(120), world: world) { [clock] in
            clock.isCutOff.withLock { $0 }
        }
    }

    /// What ends when it is told to, and not before.
    private func forEver() -> Task<Void, Never> {
        Task { _ = try? await Task.sleep(for: .seconds(3600)) }
    }

    private func pass(_ time: Duration) async {
        // Whoever turns the clock needs a thread, of which there may be two.
        while clock.now.withLock({ $0 }) < time { _ = try? await Task.sleep(for: .milliseconds(1)) }
    }

    @Test("end after two minutes where nobody can be reached, though their turn has never come")
    func long() async {
        let questions = questions()
        let task = forEver()
        questions.add(1, read, answeredBy: task)
        await task.value
        let end = clock.now.withLock { $0 }
        #expect(end >= .seconds(120) && end < .seconds(125))
        #expect(questions.remove(1))
    }

    @Test("go on for as long as somebody is there who answers slowly")
    func slow() async {
        clock.isCutOff.withLock { $0 = false }
        let questions = questions()
        let task = forEver()
        questions.add(1, read, answeredBy: task)
        await pass(.seconds(500))
        #expect(!task.isCancelled)
        #expect(!questions.remove(1))
        task.cancel()
    }

    @Test("and the end of a file that is closed is noted, however long that takes")
    func closing() async {
        let questions = questions()
        let task = forEver()
        questions.add(1, .release(2, handle: 1), answeredBy: task)
        await pass(.seconds(500))
        #expect(!task.isCancelled)
        task.cancel()
        _ = questions.remove(1)
    }
}
