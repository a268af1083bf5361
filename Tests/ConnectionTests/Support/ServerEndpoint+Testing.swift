import BasketConnection
import TestSupport

extension ServerEndpoint {
    static func of(
        _ url: String, trust: Trust = .system, unixSocket: String? = nil
    ) throws -> ServerEndpoint {
        guard let endpoint = ServerEndpoint(url, trust: trust, unixSocket: unixSocket) else {
            throw WireFailure("no address: \(url)")
        }
        return endpoint
    }
}
