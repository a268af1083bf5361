import CAvahi

/// A connection to Avahi's daemon, and the thread on which it calls back.
///
/// Whoever has one says `close` before it lets go: until then the thread may be in a callback.
final class AvahiConnection: @unchecked Sendable {
    // Unchecked: the pointers are set by the one who opens, before its thread begins, and after that only used on this
    // thread, in callbacks; `close` ends the thread first.

    /// How the daemon is.
    enum State: Sendable {
        /// It runs, and names and services can be registered.
        case running
        /// It is not ready to have anything registered: its own machine's name is not agreed on yet.
        case registering
        /// There is none yet. This says so, and goes on by itself when there is one.
        case waiting
        /// It has gone, and this connection is of no more use.
        case lost(DiscoveryError)
    }

    private var poll: OpaquePointer?
    private var client: OpaquePointer?
    private let onChange: @Sendable (AvahiConnection, OpaquePointer, State) -> Void

    /// - Parameter onChange: is called with the client whenever the state changes, the first time by `open`.
    init(onChange: @escaping @Sendable (AvahiConnection, OpaquePointer, State) -> Void) {
        self.onChange = onChange
    }

    /// Blocks until the daemon has answered, or is known not to be there.
    /// - Parameter waits: whether to wait for a daemon that does not run yet, in the background.
    func open(waits: Bool) throws(DiscoveryError) {
        guard let poll = avahi_threaded_poll_new() else { throw .refused("there is no memory") }
        self.poll = poll
        var failure: Int32 = 0
        let flags = AvahiClientFlags(rawValue: waits ? AVAHI_CLIENT_NO_FAIL.rawValue : 0)
        client = avahi_client_new(
            avahi_threaded_poll_get(poll), flags,
            { client, state, context in
                guard let client, let context else { return }
                let owner = Unmanaged<AvahiConnection>.fromOpaque(context).takeUnretainedValue()
                owner.onChange(owner, client, AvahiConnection.state(state, of: client))
            }, Unmanaged.passUnretained(self).toOpaque(), &failure)
        guard client != nil else {
            close()
            throw DiscoveryError(avahi: failure)
        }
        guard avahi_threaded_poll_start(poll) == 0 else {
            close()
            throw .refused("there is no thread for it")
        }
    }

    /// Ends the thread, and everything that was asked of the daemon: what was announced is withdrawn.
    func close() {
        if let poll { avahi_threaded_poll_stop(poll) }
        if let client { avahi_client_free(client) }
        if let poll { avahi_threaded_poll_free(poll) }
        (poll, client) = (nil, nil)
    }

    private static func state(_ state: AvahiClientState, of client: OpaquePointer) -> State {
        switch state {
        case AVAHI_CLIENT_S_RUNNING: .running
        case AVAHI_CLIENT_CONNECTING: .waiting
        case AVAHI_CLIENT_FAILURE: .lost(DiscoveryError(avahi: avahi_client_errno(client)))
        default: .registering
        }
    }
}

extension DiscoveryError {
    /// What Avahi's numbers mean.
    init(avahi code: Int32) {
        switch Int(code) {
        // Without a system bus nobody can ask whether it runs; it does not run without one.
        case AVAHI_ERR_NO_DAEMON, AVAHI_ERR_DISCONNECTED, AVAHI_ERR_DBUS_ERROR: self = .notRunning
        default: self = .refused(avahi_strerror(code).map { String(cString: $0) } ?? "\(code)")
        }
    }
}
