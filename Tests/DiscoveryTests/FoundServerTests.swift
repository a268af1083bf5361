import BasketDiscovery
import Testing

@Suite("A server that was found")
struct FoundServerTests {
    @Test(
        "is reached by a name of this network, and never by one of another",
        arguments: [
            ("nas.local", "https://nas.local:8443"), ("NAS.local", "https://NAS.local:8443"),
            ("my-nas_2.local", "https://my-nas_2.local:8443"),
            ("files.example.org", "https://10.0.0.2:8443"), ("local", "https://10.0.0.2:8443"),
            ("nas..local", "https://10.0.0.2:8443"), ("a b.local", "https://10.0.0.2:8443"),
            ("evil@x.local", "https://10.0.0.2:8443"), ("x/.local", "https://10.0.0.2:8443"),
            ("\u{1B}[31m.local", "https://10.0.0.2:8443"), ("", "https://10.0.0.2:8443"),
            (String(repeating: "x", count: 64) + ".local", "https://10.0.0.2:8443"),
        ])
    func isReached(host: String, url: String) {
        #expect(server(host: host, ["10.0.0.2"]).url(knowsNames: true) == url)
    }

    @Test(
        "is reached by the address that works best where names are not known",
        arguments: [
            (["fe80::1", "fd00::2", "10.0.0.2"], "https://10.0.0.2:8443"),
            (["fe80::1", "fd00::2"], "https://[fd00::2]:8443"),
            (["169.254.3.4", "2001:db8::1"], "https://[2001:db8::1]:8443"),
            (["fe80::1"], "https://[fe80::1%25eth0]:8443"), ([], "https://nas.local:8443"),
        ])
    func isReachedByNumber(addresses: [String], url: String) {
        #expect(server(host: "nas.local", addresses).url(knowsNames: false) == url)
    }

    @Test("says so where it does not speak TLS")
    func isPlain() {
        let server = FoundServer(
            name: "Family", host: "nas.local", port: 8080, addresses: [],
            records: ServiceRecords(isSecure: false, fingerprint: nil))
        #expect(server.url(knowsNames: true) == "http://nas.local:8080")
    }

    @Test("has no longer a name than DNS has room for")
    func isBounded() {
        let server = FoundServer(
            name: String(repeating: "x", count: 1 << 20), host: "", port: 1, addresses: [],
            records: ServiceRecords(isSecure: true, fingerprint: nil))
        #expect(server.name.utf8.count == ServiceName.mostBytes)
    }

    private func server(host: String, _ addresses: [String]) -> FoundServer {
        FoundServer(
            name: "Family", host: host, port: 8443,
            addresses: addresses.map { FoundAddress($0, interface: "eth0") }.sorted(),
            records: ServiceRecords(isSecure: true, fingerprint: nil))
    }
}
