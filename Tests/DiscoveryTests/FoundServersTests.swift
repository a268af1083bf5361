import BasketDiscovery
import Testing

@Suite("Servers that were found")
struct FoundServersTests {
    @Test("are listed once, on however many interfaces and protocols they are heard of")
    func mergesSightings() {
        var found = FoundServers()
        for (interface, number, address) in [
            (2, 0, "10.0.0.2"), (2, 1, "fd00::2"), (3, 0, "10.1.0.2"),
        ] {
            found.add(
                server("Family", "nas.local", address),
                at: sighting("Family", Int32(interface), Int32(number)))
        }
        #expect(found.list.map(\.name) == ["Family"])
        #expect(found.list[0].addresses.map(\.text) == ["10.0.0.2", "10.1.0.2", "fd00::2"])
    }

    @Test("are two where they have a name in common, and no machine")
    func keepsMachinesApart() {
        var found = FoundServers()
        found.add(server("Family", "nas.local", "10.0.0.2"), at: sighting("Family", 2, 0))
        found.add(server("Family", "other.local", "10.1.0.3"), at: sighting("Family", 3, 0))
        #expect(found.list.map(\.host) == ["nas.local", "other.local"])
    }

    @Test("are gone once they are heard of nowhere any more")
    func forgets() {
        var found = FoundServers()
        for interface in [2, 3] as [Int32] {
            found.add(
                server("Family", "nas.local", "10.0.0.2"), at: sighting("Family", interface, 0))
        }
        found.remove(sighting("Family", 2, 0))
        #expect(found.list.count == 1)
        found.remove(sighting("Family", 3, 0))
        #expect(found.list.isEmpty)
    }

    @Test("are no more than a network has, whoever announces how many")
    func isBounded() {
        var found = FoundServers()
        for number in 0..<10_000 {
            found.add(
                server("Server \(number)", "nas.local", "10.0.0.2"),
                at: sighting("Server \(number)", 2, 0))
        }
        #expect(found.list.count == FoundServers.most)
    }

    private func sighting(
        _ name: String, _ interface: Int32, _ number: Int32
    ) -> FoundServers.Sighting {
        FoundServers.Sighting(name: name, interface: interface, protocolNumber: number)
    }

    private func server(_ name: String, _ host: String, _ address: String) -> FoundServer {
        FoundServer(
            name: name, host: host, port: 8443,
            addresses: [FoundAddress(address, interface: nil)],
            records: ServiceRecords(isSecure: true, fingerprint: nil))
    }
}
