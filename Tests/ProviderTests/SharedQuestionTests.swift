import Synchronization
import Testing

@testable import BasketProvider

@Suite("A shared question", .timeLimit(.minutes(60)))
struct SharedQuestionTests {
    private struct Refused: Error {}

    /// Questions that are answered when the test says so.
    private final class Oracle: Sendable {
        private let asked = Mutex<[CheckedContinuation<Int, any Error>]>([])
        private let count = Mutex(0)

        var questions: Int { count.withLock { $0 } }

        func ask() async throws -> Int {
            try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    asked.withLock { $0.append(continuation) }
                    count.withLock { $0 += 1 }
                }
            } onCancel: {
                answer(.failure(CancellationError()))
            }
        }

        func answer(_ result: Result<Int, any Error>) {
            let all = asked.withLock { asked in
                defer { asked = [] }
                return asked
            }
            for continuation in all { continuation.resume(with: result) }
        }

        func wait(for number: Int) async {
            while questions < number { await Task.yield() }
        }
    }

    private static func begin(
        _ count: Int, _ question: SharedQuestion<Int>, _ oracle: Oracle
    ) async -> [Task<Int, any Error>] {
        var tasks: [Task<Int, any Error>] = []
        for number in 0..<count {
            tasks.append(Task { try await question.answer { try await oracle.ask() } })
            if number == 0 { await oracle.wait(for: oracle.questions + 1) }
        }
        while question.waitingCount < count - 1 { await Task.yield() }
        return tasks
    }

    @Test("is asked once, and everybody has the answer; who comes later asks anew")
    func once() async throws {
        let question = SharedQuestion<Int>()
        let oracle = Oracle()
        for round in 1...2 {
            let tasks = await Self.begin(20, question, oracle)
            oracle.answer(.success(round))
            for task in tasks { #expect(try await task.value == round) }
            #expect(oracle.questions == round)
        }
    }

    @Test("that fails does so for everybody")
    func failure() async throws {
        let question = SharedQuestion<Int>()
        let oracle = Oracle()
        let tasks = await Self.begin(3, question, oracle)
        oracle.answer(.failure(Refused()))
        for task in tasks {
            await #expect(throws: Refused.self) { try await task.value }
        }
        #expect(oracle.questions == 1)
    }

    @Test("is asked by another one when who has asked it has gone")
    func gone() async throws {
        let question = SharedQuestion<Int>()
        let oracle = Oracle()
        let tasks = await Self.begin(4, question, oracle)
        tasks[0].cancel()
        tasks[1].cancel()
        await oracle.wait(for: 2)
        while question.waitingCount < 1 { await Task.yield() }
        oracle.answer(.success(5))
        for task in tasks[..<2] {
            await #expect(throws: CancellationError.self) { try await task.value }
        }
        for task in tasks[2...] { #expect(try await task.value == 5) }
        #expect(oracle.questions == 2)
    }

    private final class Crowd: Sendable {
        private let count = Mutex(0)
        var size: Int { count.withLock { $0 } }
        func join() { count.withLock { $0 += 1 } }
    }

    @Test("is that for the facts of a domain, however many want to know them at once")
    func facts() async throws {
        try await TestServer.with { server, _ in
            let device = try await Device("laptop", server)
            let session = try #require(device.provider.session)
            let crowd = Crowd()
            device.network.fail(1000, .before, of: "/members")
            device.network.delay { _ in
                // The first question is not answered before all want to know.
                while crowd.size < 50 {
                    try await Task.sleep(for: .milliseconds(5))
                }
            }

            try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<50 {
                    group.addTask {
                        crowd.join()
                        return try await session.facts().name
                    }
                }
                for try await name in group { #expect(name == "Work") }
            }

            // The stream of events has it look once more when it begins.
            #expect((1...2).contains(device.network.count))
        }
    }
}
