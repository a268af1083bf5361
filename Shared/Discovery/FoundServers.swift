/// What is heard of servers, brought together: each is heard of on every interface, and over IPv4 and IPv6.
package struct FoundServers: Sendable {
    /// Where something was heard of.
    package struct Sighting: Hashable, Sendable {
        let name: String
        let interface: Int32
        let protocolNumber: Int32

        package init(name: String, interface: Int32, protocolNumber: Int32) {
            self.name = name
            self.interface = interface
            self.protocolNumber = protocolNumber
        }
    }

    /// More than a network has. Somebody who announces any number of them fills no memory.
    package static let most = 256

    private var servers: [Sighting: FoundServer] = [:]

    package init() {}

    package mutating func add(_ server: FoundServer, at sighting: Sighting) {
        guard servers[sighting] != nil || servers.count < Self.most else { return }
        servers[sighting] = server
    }

    package mutating func remove(_ sighting: Sighting) {
        servers[sighting] = nil
    }

    package var isEmpty: Bool { servers.isEmpty }

    /// Each once, by name. Two of one name at different machines or ports are two.
    package var list: [FoundServer] {
        struct Identity: Hashable {
            let name: String
            let place: String
            let port: UInt16
        }
        let groups = Dictionary(grouping: servers.values) { server in
            Identity(
                name: server.name,
                place: server.host?.lowercased() ?? server.addresses.first?.text ?? "",
                port: server.port)
        }
        return groups.values.map(Self.merged).sorted {
            ($0.name, $0.host ?? "", $0.port) < ($1.name, $1.host ?? "", $1.port)
        }
    }

    private static func merged(_ group: [FoundServer]) -> FoundServer {
        let addresses = Set(group.flatMap(\.addresses)).sorted()
        // Where they differ, one that names a certificate says more; else any, and the same one each time.
        let best = group.min {
            ($0.records.fingerprint ?? "~", $0.records.isSecure ? 0 : 1)
                < ($1.records.fingerprint ?? "~", $1.records.isSecure ? 0 : 1)
        }
        let server = best ?? group[0]
        return FoundServer(
            name: server.name, host: server.host ?? "", port: server.port, addresses: addresses,
            records: server.records)
    }
}
