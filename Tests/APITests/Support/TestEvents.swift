import BasketHTTP
import Testing

/// An open stream, event by event.
struct TestEvents: Sendable {
    private let source: EventSource

    fileprivate init(_ source: EventSource) {
        self.source = source
    }

    /// The next event that bears data; nil when the stream has ended.
    func next() async -> TestEvent? {
        while let event = await source.next() {
            if !event.data.isNull { return checked(event) }
        }
        return nil
    }

    /// Events are held against the description as answers are.
    private func checked(_ event: TestEvent) -> TestEvent {
        let schema = APIDescription.shared.schema
        let complaints = schema.complaints(
            about: event.data, by: schema.resolved("#/components/schemas/Event"), at: event.name)
        for complaint in complaints { Issue.record("\(complaint)") }
        return event
    }

    /// Whatever comes next, a heartbeat too.
    func nextOfAny() async -> TestEvent? {
        await source.next()
    }
}

/// Events on their way from who writes them to the test.
private actor EventSource {
    private var waiting: [TestEvent] = []
    private var isOver = false
    private var reader: CheckedContinuation<Void, Never>?

    func add(_ bytes: [UInt8]) {
        waiting += TestEvent.all(in: String(decoding: bytes, as: UTF8.self))
        wake()
    }

    func end() {
        isOver = true
        wake()
    }

    func next() async -> TestEvent? {
        while waiting.isEmpty, !isOver {
            await withCheckedContinuation { reader = $0 }
        }
        return waiting.isEmpty ? nil : waiting.removeFirst()
    }

    private func wake() {
        reader?.resume()
        reader = nil
    }
}

extension HTTPStream {
    /// Runs `body` beside the stream, and ends it afterwards.
    func reading<Result: Sendable>(
        _ body: @Sendable @escaping (TestEvents) async throws -> Result
    ) async throws -> Result {
        let source = EventSource()
        let produce = produce
        return try await withThrowingTaskGroup(of: Result?.self) { group in
            group.addTask {
                // That the stream was cut off is how each of these tests ends.
                try? await produce(HTTPStreamWriter { await source.add($0) })
                await source.end()
                return nil
            }
            group.addTask { try await body(TestEvents(source)) }
            defer { group.cancelAll() }
            while let result = try await group.next() {
                if let result { return result }
            }
            throw CancellationError()
        }
    }
}
