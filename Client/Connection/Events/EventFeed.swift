import BasketModels
import BasketSupport

/// The events of all domains of an account, over as many connections as it takes: when one ends, the
/// next goes on where it was, after a wait that grows as long as there is none.
package struct EventFeed: Sendable {
    private let connection: ServerConnection
    private let waits: RetryPolicy
    /// The server sends a sign of life every 20 seconds. Without one for this long, it is not there.
    private let silence: Duration

    package init(
        _ connection: ServerConnection, silence: Duration = .seconds(60),
        waits: RetryPolicy = RetryPolicy(
            shortestWait: .milliseconds(500), longestWait: .seconds(30))
    ) {
        self.connection = connection
        self.silence = silence
        self.waits = waits
    }

    /// Runs `body` beside the stream, and ends the stream with it. The events end with an error when the
    /// server refuses them for good: when the device was logged out, above all.
    package func listen<Result: Sendable>(
        _ body: @escaping @Sendable (EventQueue) async throws -> Result
    ) async throws -> Result {
        let queue = EventQueue()
        return try await withThrowingTaskGroup(of: Result?.self) { group in
            group.addTask {
                await run(queue)
                return nil
            }
            group.addTask { try await body(queue) }
            defer { group.cancelAll() }
            // The stream may be over first; then the body hears of that.
            while let ended = try await group.next() {
                if let result = ended { return result }
            }
            throw CancellationError()
        }
    }

    private func run(_ queue: EventQueue) async {
        var lastID: String?
        var failures = 0
        var floor = Duration.zero
        while !Task.isCancelled {
            let stream = EventStreamState(lastID: lastID)
            let error = await follow(stream, queue)
            lastID = stream.parser.lastID
            if let wanted = stream.parser.retryMilliseconds {
                floor = min(.milliseconds(wanted), waits.longestWait)
            }
            failures = stream.hasBegun ? 1 : failures + 1
            guard Self.mayPass(error) else { return queue.finish(.failure(error)) }
            do {
                try queue.add(.disconnected(error))
                let random = connection.world.randomUInt64()
                let wait = waits.wait(afterFailures: failures, random: random)
                try await connection.world.sleep(max(wait, floor))
            } catch {
                return queue.finish(.failure(ConnectionError(erased: error)))
            }
        }
        queue.finish(.failure(.cancelled))
    }

    /// Follows one connection to its end.
    /// - Returns: why it ended.
    private func follow(_ stream: EventStreamState, _ queue: EventQueue) async -> ConnectionError {
        var call = APICall("GET", ["v1", "events"]).with("Accept", "text/event-stream")
        if let id = stream.parser.lastID, !id.isEmpty { call = call.with("Last-Event-ID", id) }
        call.isStream = true
        call.takesCompressed = false
        call.timeouts = TransportTimeouts(stall: silence)
        do {
            _ = try await connection.exchange(call) { head, bytes in
                guard head.mediaType == "text/event-stream" else {
                    throw ConnectionError.badAnswer("the events come as no stream of events")
                }
                if !stream.hasBegun {
                    stream.hasBegun = true
                    try queue.add(.connected)
                }
                for event in try stream.take(bytes) { try queue.add(event) }
            }
            return .unreachable(.broken("the server ended the stream"))
        } catch {
            return error
        }
    }

    /// Whether it is worth coming back after this.
    private static func mayPass(_ error: ConnectionError) -> Bool {
        switch error {
        case .unreachable(.certificateNotPinned), .unreachable(.certificateNotTrusted): false
        case .unreachable, .badAnswer, .otherServer: true
        case .problem(let problem): problem.status >= 500 || [408, 429].contains(problem.status)
        case .tooManyChunks, .file, .consumer, .cancelled: false
        }
    }
}
