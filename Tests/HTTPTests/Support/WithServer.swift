import BasketHTTP
import BasketSupport

extension HTTPResponse {
    static func text(_ text: String, status: Int = 200, type: String = "text/plain") -> HTTPResponse
    {
        HTTPResponse(
            status: status, headers: ["Content-Type": type], body: .bytes(Array(text.utf8)))
    }
}

extension HTTPLimits {
    /// For a busy machine, on which a client of ours may be the slow one.
    static var patient: HTTPLimits {
        var limits = HTTPLimits()
        limits.headerTime = .seconds(600)
        limits.idleTime = .seconds(600)
        return limits
    }
}

/// Runs `body` beside a server on a port of its own, and stops the server afterwards.
func withServer<Result: Sendable>(
    _ limits: HTTPLimits = .patient, tls: TLSIdentity? = nil, proxies: [AddressRange] = [],
    log: Log = .silent, workers: Int = 2, answer: Answering,
    _ body: @escaping @Sendable (HTTPServer) async throws -> Result
) async throws -> Result {
    let server = try HTTPServer(
        configuration: HTTPServerConfiguration(
            listener: .address(ListeningAddress(host: "127.0.0.1", port: 0)), tls: tls,
            workers: workers, limits: limits, trustedProxies: proxies),
        handler: TestHandler(answer: answer.answer), world: .live(log: log))
    try server.start()
    do {
        let result = try await body(server)
        await server.stop(grace: .zero)
        return result
    } catch {
        await server.stop(grace: .zero)
        throw error
    }
}

/// Runs a client on a thread of its own: its blocking calls must not hold up the server's tasks.
func client<Result: Sendable>(
    _ work: @escaping @Sendable () throws -> Result
) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        let thread = Thread(name: "test-client") {
            continuation.resume(with: Swift.Result { try work() })
        }
        thread.detach()
    }
}
