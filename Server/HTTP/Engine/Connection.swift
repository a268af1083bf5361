import BasketSupport
import CLinux
import CMicroHTTPD
import Glibc
import Synchronization

/// One client's connection, from its acceptance to its end.
final class Connection: Sendable {
    let id: UInt64
    let engine: Engine
    let address: NetworkAddress
    let addressText: String
    /// When the connection is cut because its next request's headers are not complete, in nanoseconds
    /// of uptime.
    let headersDue: Atomic<Int64>

    private struct State {
        /// -1 once libmicrohttpd is about to close it: the number may be another file's then.
        var descriptor: CInt
        /// Whose first line is there.
        var arriving: Exchange?
        /// Whose head is there.
        var exchange: Exchange?
        var isPeerGone = false
        var lingers = false
    }
    private let state: Mutex<State>

    init(id: UInt64, engine: Engine, descriptor: CInt, address: NetworkAddress, headersDue: Int64) {
        self.id = id
        self.engine = engine
        self.address = address
        addressText = address.description
        self.headersDue = Atomic(headersDue)
        state = Mutex(State(descriptor: descriptor))
    }

    var arriving: Exchange? {
        state.withLock { $0.arriving }
    }

    var exchange: Exchange? {
        state.withLock { $0.exchange }
    }

    var isPeerGone: Bool {
        state.withLock { $0.isPeerGone }
    }

    func arrives(_ exchange: Exchange) {
        state.withLock { $0.arriving = exchange }
    }

    func begin(_ exchange: Exchange) {
        state.withLock { $0.exchange = exchange }
    }

    func end(_ exchange: Exchange) {
        state.withLock { state in
            if state.exchange === exchange { state.exchange = nil }
            if state.arriving === exchange { state.arriving = nil }
        }
    }

    /// The client closed its end. Whoever works for it need not go on.
    func peerWentAway() {
        let exchange = state.withLock { state in
            state.isPeerGone = true
            Self.nudge(state)
            return state.exchange
        }
        exchange?.clientWentAway()
    }

    /// Reminds libmicrohttpd of an end that it has not read yet.
    func nudgeIfPeerIsGone() {
        state.withLock { state in
            if state.isPeerGone { Self.nudge(state) }
        }
    }

    /// No other request is wanted after the one that is over: libmicrohttpd finds that the client has
    /// nothing more to say, and closes the connection.
    func takeNoMore() {
        state.withLock { Self.nudge($0) }
    }

    /// libmicrohttpd overlooks an end that came together with the last bytes: it takes a short read for
    /// the sign that there is nothing more, and is not told again. To close the half that the client
    /// has closed already changes nothing, but tells. Bytes that came before can still be read.
    private static func nudge(_ state: State) {
        if state.descriptor >= 0 { shutdown(state.descriptor, CInt(SHUT_RD)) }
    }

    /// Ends the connection from outside: libmicrohttpd finds its socket closed, and cleans up.
    func cut() {
        state.withLock { state in
            if state.descriptor >= 0 { shutdown(state.descriptor, CInt(SHUT_RDWR)) }
        }
    }

    /// Sends what cannot go through libmicrohttpd, because it accepts an answer only before a body or
    /// after it. Nothing else is being written meanwhile. It never waits: what does not fit into the
    /// socket's buffer is lost, and an answer of some hundred bytes fits.
    ///
    /// - Parameter mhd: only from its worker's callback. Without it, nothing is sent over TLS: no two
    ///   threads may use one session.
    func sendPastLibrary(_ bytes: [UInt8], _ mhd: MHDConnection? = nil) {
        if engine.isSecure {
            guard let mhd, let session = basket_mhd_tls_session(mhd.pointer) else { return }
            var rest = bytes[...]
            while !rest.isEmpty {
                // A record holds 16 KiB at most, so that it may take several.
                let sent = rest.withUnsafeBytes {
                    gnutls_record_send(session, $0.baseAddress, $0.count)
                }
                guard sent > 0 else { return }
                rest = rest.dropFirst(sent)
            }
        } else {
            state.withLock { state in
                guard state.descriptor >= 0 else { return }
                _ = bytes.withUnsafeBytes {
                    basket_send_now(state.descriptor, $0.baseAddress, $0.count)
                }
            }
        }
    }

    /// No answer follows the one that is out. The client sees the end, and has a little time to close its
    /// own side.
    func endAfterAnswer(within time: Duration) {
        state.withLock { state in
            if state.descriptor >= 0 { shutdown(state.descriptor, CInt(SHUT_WR)) }
            state.lingers = true
        }
        let due = (engine.world.uptime() + time).wholeNanoseconds
        headersDue.store(due, ordering: .relaxed)
    }

    /// The client may still be sending when the connection closes. To close with unread bytes resets
    /// the connection, and the client may then lose the answer that it was to read.
    func lingerAtEnd() {
        state.withLock { $0.lingers = true }
    }

    /// Called before libmicrohttpd closes the descriptor.
    /// - Returns: a descriptor to read from until the client is done, where that is wanted.
    func close() -> CInt? {
        state.withLock { state in
            defer { state.descriptor = -1 }
            guard state.lingers, !state.isPeerGone else { return nil }
            shutdown(state.descriptor, CInt(SHUT_WR))
            let copy = fcntl(state.descriptor, F_DUPFD_CLOEXEC, 0)
            return copy >= 0 ? copy : nil
        }
    }
}
