import CLinux
import Glibc
import Synchronization

/// The sockets of connections that are over, whose clients may still be sending: what comes is read and
/// thrown away until they are done, because a socket that is closed with unread bytes resets the
/// connection, and the client may then lose the answer that it was to read.
final class LingeringSockets: Sendable {
    /// At most so many closed connections are waited for; further ones are reset.
    private static let limit = 256
    /// So much is read in one turn, so that others get theirs; whoever sends faster is read on in the next one.
    private static let reads = 64
    static let time = Duration.seconds(2)
    /// Marks their numbers among those of connections.
    private static let flag: UInt64 = 1 << 63

    private struct State {
        var sockets: [UInt64: (descriptor: CInt, until: Duration)] = [:]
        var next = LingeringSockets.flag
    }

    private let state = Mutex(State())
    /// The epoll set that tells when one can be read.
    private let events: CInt

    init(events: CInt) {
        self.events = events
    }

    static func includes(_ id: UInt64) -> Bool {
        id & flag != 0
    }

    var isEmpty: Bool {
        state.withLock { $0.sockets.isEmpty }
    }

    /// Owns the descriptor from now on.
    func add(_ descriptor: CInt, now: Duration) {
        let id: UInt64? = state.withLock { state in
            guard state.sockets.count < Self.limit else { return nil }
            state.next += 1
            state.sockets[state.next] = (descriptor, now + Self.time)
            return state.next
        }
        if let id {
            basket_epoll_watch_readable(events, descriptor, id)
        } else {
            close(descriptor)
        }
    }

    /// Reads what is there. Only from the watch's thread, as all that follows.
    func drain(_ id: UInt64) {
        // An event may come for a socket that is closed already, and whose number is another's.
        guard let descriptor = state.withLock({ $0.sockets[id]?.descriptor }) else { return }
        var scratch = [UInt8](repeating: 0, count: 16 << 10)
        for _ in 0..<Self.reads {
            let got = basket_receive_now(descriptor, &scratch, scratch.count)
            if got > 0 { continue }
            if got < 0, errno == EAGAIN || errno == EINTR { return }
            return end(id)
        }
    }

    func endOverdue(at now: Duration) {
        let overdue = state.withLock { state in
            state.sockets.filter { $0.value.until < now }.keys.sorted()
        }
        for id in overdue { end(id) }
    }

    func endAll() {
        for id in state.withLock({ $0.sockets.keys.sorted() }) { end(id) }
    }

    private func end(_ id: UInt64) {
        guard let socket = state.withLock({ $0.sockets.removeValue(forKey: id) }) else { return }
        // By name: to close it is not enough as long as libmicrohttpd has not closed its own copy.
        basket_epoll_forget(events, socket.descriptor)
        close(socket.descriptor)
    }
}
