import BasketConnection
import BasketModels
import BasketSupport
import FileProvider
import Synchronization
import Testing

@testable import BasketProvider

@Suite("Fetches that nobody waits for", .timeLimit(.minutes(60)))
struct FetchBatcherTests {
    /// Lets whoever asks pass when it is opened.
    private actor Door {
        private var waiting: [CheckedContinuation<Void, Never>] = []
        private var isOpen = false
        private var watchers: [(count: Int, CheckedContinuation<Void, Never>)] = []
        private var count = 0

        func pass() async {
            count += 1
            for (wanted, watcher) in watchers where wanted == count { watcher.resume() }
            watchers.removeAll { $0.count == count }
            if !isOpen { await withCheckedContinuation { waiting.append($0) } }
        }

        func wait(for wanted: Int) async {
            if count < wanted { await withCheckedContinuation { watchers.append((wanted, $0)) } }
        }

        func open() {
            isOpen = true
            for waiter in waiting { waiter.resume() }
            waiting = []
        }
    }

    private final class Sent: Sendable {
        let batches = Mutex<[[String]]>([])
    }

    private static let gone = ConnectionError.problem(
        ServerProblem(status: 404, code: "no_such_item", title: "It is gone."))

    /// One that answers each with the same failure, once the door is open.
    private static func batcher(
        _ sent: Sent, _ door: Door, failure: ConnectionError = gone
    ) -> FetchBatcher {
        FetchBatcher(calls: CallRegistry(world: .live(log: .silent))) { wanted, each in
            sent.batches.withLock { $0.append(wanted.map(\.item)) }
            await door.pass()
            for place in wanted.indices { each(place, .failure(failure)) }
        }
    }

    @Test("go at once, and what comes meanwhile goes together")
    func gathering() async throws {
        let (sent, door) = (Sent(), Door())
        let batcher = Self.batcher(sent, door)
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<FetchBatcher.mostSenders {
                group.addTask {
                    _ = try? await batcher.fetch(ContentsRequest.Wanted(item: "first \(number)"))
                }
                // One after the other: two that come at once go together.
                await door.wait(for: number + 1)
            }
            for number in 0..<300 {
                group.addTask {
                    _ = try? await batcher.fetch(ContentsRequest.Wanted(item: "\(number)"))
                }
            }
            while batcher.waiting < 300 { await Task.yield() }
            await door.open()
        }

        let sizes = sent.batches.withLock { $0.map(\.count) }
        #expect(sizes.prefix(FetchBatcher.mostSenders).allSatisfy { $0 == 1 })
        // Two senders go on with them at once.
        #expect(sizes.dropFirst(FetchBatcher.mostSenders).sorted() == [44, 256])
    }

    @Test("that are cancelled are not asked for")
    func cancellation() async throws {
        let (sent, door) = (Sent(), Door())
        let batcher = Self.batcher(sent, door)
        func begin(_ name: String) -> Task<Bool, Never> {
            Task {
                do {
                    _ = try await batcher.fetch(ContentsRequest.Wanted(item: name))
                    return false
                } catch {
                    return error is CancellationError
                }
            }
        }
        var first: [Task<Bool, Never>] = []
        for number in 1...FetchBatcher.mostSenders {
            first.append(begin("first \(number)"))
            await door.wait(for: number)
        }
        let (kept, dropped) = (begin("kept"), begin("dropped"))
        while batcher.waiting < 2 { await Task.yield() }
        dropped.cancel()
        #expect(await dropped.value)
        await door.open()

        for task in first + [kept] { #expect(await !task.value) }
        #expect(sent.batches.withLock { $0.last } == ["kept"])
    }

    @Test("are given up when nobody waits for any of those that are on their way together")
    func abandonment() async throws {
        let (door, begun) = (Door(), Door())
        let cancelled = Mutex(false)
        await begun.open()
        let batcher = FetchBatcher(calls: CallRegistry(world: .live(log: .silent))) {
            wanted, each in
            if wanted.count > 1 {
                await begun.pass()
                let (stream, source) = AsyncStream.makeStream(of: Void.self)
                defer { source.finish() }
                for await _ in stream {}
                cancelled.withLock { $0 = Task.isCancelled }
                try Task.checkCancellation()
            }
            await door.pass()
            for place in wanted.indices { each(place, .failure(Self.gone)) }
        }
        func begin(_ name: String) -> Task<Void, Never> {
            Task { _ = try? await batcher.fetch(ContentsRequest.Wanted(item: name)) }
        }
        var first: [Task<Void, Never>] = []
        for number in 1...FetchBatcher.mostSenders {
            first.append(begin("first \(number)"))
            await door.wait(for: number)
        }
        let together = [begin("a"), begin("b")]
        while batcher.waiting < 2 { await Task.yield() }
        await door.open()
        await begun.wait(for: 1)
        together[0].cancel()
        await together[0].value
        // It goes on for the other one.
        for _ in 0..<100 { await Task.yield() }
        #expect(!cancelled.withLock { $0 })
        together[1].cancel()
        await together[1].value
        while !cancelled.withLock({ $0 }) { await Task.yield() }
        // Others come through after that.
        for task in first { await task.value }
        await begin("later").value
    }

    @Test("of what is known to be long are not tried together with others")
    func long() async throws {
        try await TestServer.with { server, _ in
            let device = try await Device("laptop", server)
            let item = try await ChangeTests.file("a", someBytes(70_000, seed: 1), device)
            device.network.fail(10_000, .before, of: "/contents/batch")
            _ = try await device.fetch(item.itemIdentifier, isAwaited: false, length: 70_000)
            #expect(device.network.count == 0)
            _ = try await device.fetch(item.itemIdentifier, isAwaited: false)
            #expect(device.network.count == 1)
        }
    }

    @Test(
        "go by themselves where they cannot go together",
        arguments: ["too_long_for_batch", "no_such_route", "bad_field"])
    func notTogether(code: String) async throws {
        let (sent, door) = (Sent(), Door())
        await door.open()
        let problem = ServerProblem(status: 413, code: code, title: "No.")
        let batcher = Self.batcher(sent, door, failure: .problem(problem))

        #expect(try await batcher.fetch(ContentsRequest.Wanted(item: "a")) == nil)
    }

    @Test("come as small files together, as large ones each by itself, and as they were sent")
    func together() async throws {
        try await TestServer.with { server, _ in
            let device = try await Device("laptop", server)
            let sizes = (0..<100).map { $0 == 7 ? 70_000 : $0 == 8 ? 0 : $0 * 11 }
            let ids = try await withThrowingTaskGroup(
                of: (Int, NSFileProviderItemIdentifier).self
            ) { group in
                for (number, size) in sizes.enumerated() {
                    group.addTask {
                        let item = try await ChangeTests.file(
                            "file \(number)", someBytes(size, seed: UInt64(number)), device)
                        return (number, item.itemIdentifier)
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
                    .sorted { $0.0 < $1.0 }.map(\.1)
            }
            device.network.fail(10_000, .before)

            try await withThrowingTaskGroup(of: Void.self) { group in
                for (number, id) in ids.enumerated() {
                    group.addTask {
                        let (bytes, item) = try await device.fetch(id, isAwaited: false)
                        #expect(bytes == someBytes(sizes[number], seed: UInt64(number)))
                        #expect(item.filename == "file \(number)")
                    }
                }
                try await group.waitForAll()
            }

            #expect(device.network.count < 50)
            #expect(try device.temporaryFiles.isEmpty)
            device.network.fail(10_000, .before, of: "/contents/batch")
            _ = try await device.fetch(ids[0])
            #expect(device.network.count == 0)
        }
    }

    @Test("tell of an item that is gone, and of a network that is")
    func failures() async throws {
        try await TestServer.with { server, _ in
            let device = try await Device("laptop", server)
            let item = try await ChangeTests.file("a", [1, 2], device)
            device.network.isDown(true)
            await #expect {
                _ = try await device.fetch(item.itemIdentifier, isAwaited: false)
            } throws: {
                NSFileProviderError(bridging: $0)?.code == .serverUnreachable
            }
            device.network.isDown(false)
            try await device.delete(item)
            await #expect {
                _ = try await device.fetch(item.itemIdentifier, isAwaited: false)
            } throws: {
                NSFileProviderError(bridging: $0)?.code == .noSuchItem
            }
            #expect(try device.temporaryFiles.isEmpty)
        }
    }
}
