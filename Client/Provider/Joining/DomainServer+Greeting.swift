import BasketConnection
import BasketModels

// Whether all is well with it.
extension DomainServer {
    /// Asked without a log-in's being looked at.
    package func greeting() async throws(ConnectionError) -> ServerGreeting {
        let (server, clock) = try await connection.serverAndClock()
        return ServerGreeting(version: server.version, ahead: clock)
    }

    /// Throws what the server says to this device where it does not know it, or does not show it the domain.
    package func requireDomain() async throws(ConnectionError) {
        _ = try await connection.domain(domain)
    }
}
