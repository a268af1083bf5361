import BasketConnection

extension ServerEndpoint {
    static func of(
        _ url: String, trust: Trust = .system, unixSocket: String? = nil,
        allowsInsecureHTTP: Bool = false
    ) throws -> ServerEndpoint {
        try ServerEndpoint(
            url, trust: trust, unixSocket: unixSocket,
            allowsInsecureHTTP: allowsInsecureHTTP)
    }
}
