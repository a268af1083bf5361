import Synchronization
import Testing

@testable import BasketSupport

@Suite("Turns for which somebody waits, or nobody,", .timeLimit(.minutes(60)))
struct AwaitedTurnsTests {
    /// What began, in order, and who holds a place until somebody lets go of it.
    private final class Calls: Sendable {
        private let begun = Mutex<[String]>([])
        private let held = Mutex<[String: CheckedContinuation<Void, Never>]>([:])

        var all: [String] { begun.withLock { $0 } }

        func hold(_ name: String) async {
            begun.withLock { $0.append(name) }
            await withCheckedContinuation { continuation in
                held.withLock { $0[name] = continuation }
            }
        }

        func release(_ name: String) async {
            while true {
                if let call = held.withLock({ $0.removeValue(forKey: name) }) {
                    return call.resume()
                }
                await Task.yield()
            }
        }
    }

    private static func begin(
        _ name: String, isAwaited: Bool, _ places: Turns, _ calls: Calls
    ) async -> Task<Void, any Error> {
        let waiting = places.waitingCount
        let task = Task {
            let number = name.utf8.first.map(Int64.init)
            return try await places.take(isAwaited: isAwaited, as: number) {
                await calls.hold(name)
            }
        }
        while places.waitingCount == waiting, !calls.all.contains(name) { await Task.yield() }
        return task
    }

    @Test("are taken in turn, first by those that somebody waits for")
    func order() async throws {
        let places = Turns(2)
        let calls = Calls()
        var tasks: [Task<Void, any Error>] = []
        for name in ["a", "b", "c", "d"] {
            tasks.append(await Self.begin(name, isAwaited: false, places, calls))
        }
        for name in ["e", "f"] {
            tasks.append(await Self.begin(name, isAwaited: true, places, calls))
        }
        #expect(calls.all == ["a", "b"])
        for (index, name) in ["a", "e", "f", "c", "d", "b"].enumerated() {
            await calls.release(name)
            let expected = min(6, 3 + index)
            while calls.all.count < expected { await Task.yield() }
        }
        for task in tasks { try await task.value }
        #expect(calls.all == ["a", "b", "e", "f", "c", "d"])
    }

    @Test("are taken before others by those for which somebody waits by now")
    func hurried() async throws {
        let places = Turns(1)
        let calls = Calls()
        var tasks: [Task<Void, any Error>] = []
        for name in ["a", "b", "c", "d"] {
            tasks.append(await Self.begin(name, isAwaited: false, places, calls))
        }
        // Who has a turn already, or has never come, is none of them.
        for name in "ad?".utf8 { places.hurry(Int64(name)) }
        for (index, name) in ["a", "d", "b", "c"].enumerated() {
            await calls.release(name)
            while calls.all.count < min(4, 2 + index) { await Task.yield() }
        }
        for task in tasks { try await task.value }
        #expect(calls.all == ["a", "d", "b", "c"])
    }

    @Test("are not kept for who does not wait any more")
    func cancelled() async throws {
        let places = Turns(1)
        let calls = Calls()
        let first = await Self.begin("a", isAwaited: false, places, calls)
        let second = await Self.begin("b", isAwaited: true, places, calls)
        let third = await Self.begin("c", isAwaited: false, places, calls)
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        await calls.release("a")
        await calls.release("c")
        for task in [first, third] { try await task.value }
        #expect(calls.all == ["a", "c"])
    }

    @Test("are as many as one likes where nothing was declared")
    func endless() async throws {
        let places = Turns(nil)
        let calls = Calls()
        var tasks: [Task<Void, any Error>] = []
        for number in 0..<200 {
            tasks.append(await Self.begin("\(number)", isAwaited: false, places, calls))
        }
        #expect(calls.all.count == 200)
        for number in 0..<200 { await calls.release("\(number)") }
        for task in tasks { try await task.value }
    }
}
