import BasketConnection
import BasketContent
import Testing

@Suite("A server's address")
struct ServerEndpointTests {
    private static let pin = ServerEndpoint.Trust.certificate(ContentHash(of: [1]))

    @Test(
        "is spoken to in the clear on this machine, and elsewhere only when told in so many words",
        arguments: [
            ("http://127.0.0.1:8080", true), ("http://127.9.9.9", true),
            ("http://localhost", true), ("http://LocalHost:8080/below", true),
            ("http://[::1]:8080", true), ("http://nas.local:8080", false),
            ("http://192.168.1.2:8080", false), ("http://127.evil.example", false),
            ("http://localhost.evil.example", false), ("http://[::1234]:80", false),
            ("http://0.0.0.0:8080", false), ("http://[fe80::1]", false),
        ])
    func plain(address: String, isLocal: Bool) throws {
        if isLocal {
            #expect(try ServerEndpoint(address).isLocal)
        } else {
            let error = #expect(throws: EndpointError.insecure(address)) {
                try ServerEndpoint(address)
            }
            #expect(error?.message.contains("insecure-http") == true)
            #expect(try !ServerEndpoint(address, allowsInsecureHTTP: true).isLocal)
            #expect(try ServerEndpoint(address, unixSocket: "/run/basket").isLocal)
            let secure = address.replacing("http:", with: "https:")
            #expect(try ServerEndpoint(secure).isSecure)
        }
    }

    @Test(
        "with a certificate is never spoken to in the clear",
        arguments: ["http://127.0.0.1:8080", "HTTP://nas.local"], [nil, "/run/basket"])
    func pinned(address: String, socket: String?) throws {
        let error = #expect(throws: EndpointError.self) {
            try ServerEndpoint(
                address, trust: Self.pin, unixSocket: socket, allowsInsecureHTTP: true)
        }
        guard case .certificateWithoutTLS? = error else {
            return #expect(Bool(false), "\(error as Any)")
        }
        #expect(error?.message.contains("https://") == true)
        let secure = try ServerEndpoint(
            address.lowercased().replacing("http:", with: "https:"), trust: Self.pin)
        #expect(secure.trust == Self.pin)
    }

    @Test(
        "is refused where it is none",
        arguments: ["", "nas.local", "ftp://nas.local", "http://", "https://a b", "https://u@nas"])
    func none(text: String) {
        #expect(throws: EndpointError.notAnAddress(text)) { try ServerEndpoint(text) }
    }
}
