import CAvahi

/// An announcement that Avahi's daemon makes for as long as this is open.
final class AvahiPublication: @unchecked Sendable {
    // Unchecked: what changes is only touched in callbacks, of which there is one at a time.

    /// What has become of it.
    enum News: Sendable {
        /// It is on the network, under that name: another than was wanted where that was taken.
        case announced(name: String)
        /// There is no daemon; it is announced once there is.
        case waiting
        /// The daemon does not want it.
        case refused(String)
        /// The daemon has gone: another connection is needed.
        case lost
    }

    /// So many names are tried one after another, if all of them are taken.
    private static let mostNames = 32

    private let announcement: ServiceAnnouncement
    private let interface: Int32
    private let tell: @Sendable (News) -> Void
    private var name: String
    private var group: OpaquePointer?
    private var connection: AvahiConnection?

    /// - Parameter tell: hears what becomes of it, on Avahi's thread.
    init(_ announcement: ServiceAnnouncement, tell: @escaping @Sendable (News) -> Void) {
        self.announcement = announcement
        self.tell = tell
        name = announcement.name.text
        interface =
            announcement.host.flatMap { NetworkInterfaces.number(of: $0) } ?? Int32(AVAHI_IF_UNSPEC)
    }

    func open() throws(DiscoveryError) {
        // It calls back while it is open, and its owner closes it before this goes.
        let connection = AvahiConnection { [unowned self] _, client, state in
            take(state, of: client)
        }
        try connection.open(waits: true)
        self.connection = connection
    }

    func close() {
        connection?.close()
        connection = nil
    }

    private func take(_ state: AvahiConnection.State, of client: OpaquePointer) {
        switch state {
        case .running: publish(on: client)
        // The machine gets another name; what was announced under the old one is announced again afterwards.
        case .registering: if let group { avahi_entry_group_reset(group) }
        case .waiting: tell(.waiting)
        case .lost: tell(.lost)
        }
    }

    private func publish(on client: OpaquePointer) {
        if group == nil {
            group = avahi_entry_group_new(
                client,
                { group, state, context in
                    guard let group, let context else { return }
                    let owner = Unmanaged<AvahiPublication>.fromOpaque(context)
                        .takeUnretainedValue()
                    owner.take(state, of: group)
                }, Unmanaged.passUnretained(self).toOpaque())
        }
        guard let group else { return tell(.refused(Self.words(avahi_client_errno(client)))) }
        if avahi_entry_group_is_empty(group) != 0 { fill(group) }
    }

    private func take(_ state: AvahiEntryGroupState, of group: OpaquePointer) {
        switch state {
        case AVAHI_ENTRY_GROUP_ESTABLISHED: tell(.announced(name: name))
        case AVAHI_ENTRY_GROUP_COLLISION:
            takeAnotherName()
            avahi_entry_group_reset(group)
            fill(group)
        case AVAHI_ENTRY_GROUP_FAILURE:
            let client = avahi_entry_group_get_client(group)
            tell(.refused(Self.words(avahi_client_errno(client))))
        default: break
        }
    }

    private func fill(_ group: OpaquePointer) {
        var records: UnsafeMutablePointer<AvahiStringList>?
        // The list is built from its end.
        for line in announcement.records.lines.reversed() {
            records = avahi_string_list_add(records, line)
        }
        defer { avahi_string_list_free(records) }
        let protocols = announcement.isIPv4Alone ? AVAHI_PROTO_INET : AVAHI_PROTO_UNSPEC
        for _ in 0..<Self.mostNames {
            let failure = avahi_entry_group_add_service_strlst(
                group, interface, Int32(protocols),
                AvahiPublishFlags(rawValue: 0), name, ServiceType.server, ServiceType.domain, nil,
                announcement.port, records)
            if failure == Int32(AVAHI_ERR_COLLISION) {
                // Another service of this very machine has it.
                takeAnotherName()
                avahi_entry_group_reset(group)
                continue
            }
            let outcome = failure == 0 ? avahi_entry_group_commit(group) : failure
            if outcome < 0 { tell(.refused(Self.words(outcome))) }
            return
        }
        tell(.refused("each name that was tried is taken"))
    }

    /// As others do it: `Work`, `Work #2`, `Work #3`.
    private func takeAnotherName() {
        guard let other = avahi_alternative_service_name(name) else { return }
        name = String(cString: other)
        avahi_free(other)
    }

    private static func words(_ code: Int32) -> String {
        avahi_strerror(code).map { String(cString: $0) } ?? "\(code)"
    }
}
