import CAvahi
import Glibc

/// A search for servers through Avahi's daemon, for as long as this is open.
final class AvahiSearch: @unchecked Sendable {
    // Unchecked: what changes is only touched in callbacks, of which there is one at a time, and read once they have
    // ended.

    enum News: Sendable {
        /// Somebody has answered, and everybody who is there, as far as Avahi can tell.
        case settled
        case failed(DiscoveryError)
    }

    /// Questions that are under way at a time. What else is heard of meanwhile is heard of in vain.
    private static let mostQuestions = FoundServers.most

    private let tell: @Sendable (News) -> Void
    private var servers = FoundServers()
    private var questions = 0
    private var hasHeardAll = false
    private var connection: AvahiConnection?
    private var client: OpaquePointer?

    /// - Parameter tell: hears how it goes, on Avahi's thread.
    init(tell: @escaping @Sendable (News) -> Void) {
        self.tell = tell
    }

    func open() throws(DiscoveryError) {
        // It calls back while it is open, and its owner closes it before this goes.
        let connection = AvahiConnection { [unowned self] _, client, state in
            switch state {
            case .running, .registering: browse(with: client)
            case .waiting: break
            case .lost(let error): tell(.failed(error))
            }
        }
        try connection.open(waits: false)
        self.connection = connection
    }

    /// Ends it, and says what was found.
    func close() -> [FoundServer] {
        connection?.close()
        connection = nil
        return servers.list
    }

    private func browse(with client: OpaquePointer) {
        guard self.client == nil else { return }
        self.client = client
        let browser = avahi_service_browser_new(
            client, Int32(AVAHI_IF_UNSPEC), Int32(AVAHI_PROTO_UNSPEC), ServiceType.server,
            ServiceType.domain, AvahiLookupFlags(rawValue: 0),
            { _, interface, number, event, name, _, _, _, context in
                guard let context else { return }
                let owner = Unmanaged<AvahiSearch>.fromOpaque(context).takeUnretainedValue()
                let sighting = name.map {
                    FoundServers.Sighting(
                        name: String(cString: $0), interface: interface, protocolNumber: number)
                }
                owner.take(event, sighting)
            }, Unmanaged.passUnretained(self).toOpaque())
        if browser == nil { fail() }
    }

    private func take(_ event: AvahiBrowserEvent, _ sighting: FoundServers.Sighting?) {
        switch event {
        case AVAHI_BROWSER_NEW: if let sighting { ask(about: sighting) }
        case AVAHI_BROWSER_REMOVE: if let sighting { servers.remove(sighting) }
        case AVAHI_BROWSER_ALL_FOR_NOW:
            hasHeardAll = true
            settle()
        case AVAHI_BROWSER_FAILURE: fail()
        default: break
        }
    }

    /// Where a server is, and what else it says of itself.
    private func ask(about sighting: FoundServers.Sighting) {
        guard questions < Self.mostQuestions else { return }
        let resolver = avahi_service_resolver_new(
            client, sighting.interface, sighting.protocolNumber, sighting.name, ServiceType.server,
            ServiceType.domain, Int32(AVAHI_PROTO_UNSPEC), AvahiLookupFlags(rawValue: 0),
            {
                resolver, interface, number, event, name, _, _, host, address, port, records, _,
                context in
                guard let context else { return }
                let owner = Unmanaged<AvahiSearch>.fromOpaque(context).takeUnretainedValue()
                if event == AVAHI_RESOLVER_FOUND, let name, let host {
                    let server = FoundServer(
                        name: String(cString: name), host: String(cString: host), port: port,
                        addresses: AvahiSearch.text(of: address, on: interface),
                        records: ServiceRecords(lines: AvahiSearch.lines(records)))
                    owner.servers.add(
                        server,
                        at: FoundServers.Sighting(
                            name: String(cString: name), interface: interface,
                            protocolNumber: number))
                }
                avahi_service_resolver_free(resolver)
                owner.questions -= 1
                owner.settle()
            }, Unmanaged.passUnretained(self).toOpaque())
        // A name that no server can have is refused at once.
        if resolver != nil { questions += 1 }
    }

    private func settle() {
        // As long as nobody has answered, somebody who is slow may.
        if hasHeardAll, questions == 0, !servers.isEmpty { tell(.settled) }
    }

    private func fail() {
        tell(.failed(DiscoveryError(avahi: avahi_client_errno(client))))
    }

    // MARK: Out of what C lends

    /// More than a server has to say.
    private static let mostLines = 64

    private static func lines(_ list: UnsafeMutablePointer<AvahiStringList>?) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        var next = list
        while let entry = next, lines.count < mostLines {
            let bytes = UnsafeBufferPointer(
                start: avahi_string_list_get_text(entry), count: avahi_string_list_get_size(entry))
            lines.append(Array(bytes))
            next = avahi_string_list_get_next(entry)
        }
        return lines
    }

    private static func text(
        of address: UnsafePointer<AvahiAddress>?, on interface: Int32
    ) -> [FoundAddress] {
        guard let address else { return [] }
        var text = [CChar](repeating: 0, count: Int(AVAHI_ADDRESS_STR_MAX))
        guard avahi_address_snprint(&text, text.count, address) != nil else { return [] }
        let shown = String(
            decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        return [FoundAddress(shown, interface: NetworkInterfaces.name(of: interface))]
    }
}
