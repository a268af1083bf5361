import BasketHTTP
import BasketModels
import BasketStore
import BasketSupport

/// One stream of events for all that an account has: server-sent events.
enum Events {
    static let endpoints: [Endpoint] = [Endpoint(.get, "/v1/events", events)]

    /// Shorter than the minute after which proxies give a silent connection up.
    static let heartbeat = Duration.seconds(20)

    static func events(_ call: Call) async throws -> HTTPResponse {
        let resumed = call.request.headers["Last-Event-ID"].map(EventID.init(_:))
        let stream = HTTPStream { output in
            try await EventStream(call: call, output: output).run(resuming: resumed)
        }
        return HTTPResponse(
            status: 200,
            headers: [
                "Content-Type": "text/event-stream", "Cache-Control": "no-store",
                "X-Accel-Buffering": "no",
            ],
            body: .stream(stream))
    }
}
