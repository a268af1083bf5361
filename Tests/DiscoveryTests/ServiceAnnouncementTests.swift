import BasketDiscovery
import BasketSupport
import Testing

@Suite("A server")
struct ServiceAnnouncementTests {
    @Test(
        "is announced only where other machines reach it",
        arguments: [
            ("0.0.0.0", 8443, true), ("::", 8443, true), ("192.168.1.5", 8443, true),
            ("127.0.0.1", 8443, false), ("127.8.0.1", 8443, false), ("::1", 8443, false),
            ("0.0.0.0", 0, false),
        ] as [(String, UInt16, Bool)])
    func isAnnounced(host: String, port: UInt16, isAnnounced: Bool) throws {
        let address = try #require(SocketAddress(host: host, port: port))
        let announcement = ServiceAnnouncement(
            name: "Family", address: address, isSecure: true, fingerprint: nil)
        #expect((announcement != nil) == isAnnounced)
    }
}
