import BasketSupport
import CLinux
import Glibc
import Synchronization

/// Sees what libmicrohttpd does not look at: that the client of a suspended connection went away, that
/// headers or a body come too slowly, and that a closed connection's client is still sending. One
/// thread, which sleeps while there is no connection.
final class ConnectionWatch: Sendable {
    /// At most so many closed connections are waited for; further ones are reset.
    private static let lingeringLimit = 256
    /// What a client may still send after its connection was closed, in one turn.
    private static let lingeringReads = 64
    static let lingeringTime = Duration.seconds(2)
    /// Marks the numbers of lingering descriptors among the events'.
    private static let lingeringFlag: UInt64 = 1 << 63

    private struct State {
        var connections: [UInt64: Connection] = [:]
        var admitted = 0
        var perCustomer: [NetworkAddress: Int] = [:]
        var lingering: [CInt: Duration] = [:]
        var isEnding = false
        var isSleeping = false
    }
    private let state = Mutex(State())
    private let events: CInt
    private let wakeUp: CInt
    private let thread = Mutex<Thread?>(nil)
    private let tick: Duration
    private let uptime: @Sendable () -> Duration

    /// - Parameter tick: how often the clocks are looked at while there are connections.
    init(tick: Duration, uptime: @escaping @Sendable () -> Duration) {
        self.tick = tick
        self.uptime = uptime
        events = basket_epoll_create()
        wakeUp = basket_eventfd_create()
        precondition(events >= 0 && wakeUp >= 0, "the process has no descriptor left")
        basket_epoll_watch_readable(events, wakeUp, 0)
    }

    deinit {
        close(events)
        close(wakeUp)
    }

    func start() {
        thread.withLock { $0 = Thread(name: "http-watch") { self.run() } }
    }

    /// Returns when the thread has ended.
    func stop() {
        state.withLock { $0.isEnding = true }
        basket_eventfd_signal(wakeUp)
        thread.withLock { $0.take() }?.join()
    }

    func add(_ connection: Connection, descriptor: CInt) {
        let mustWake = state.withLock { state in
            state.connections[connection.id] = connection
            return state.isSleeping
        }
        // Where it fails, a client's going away is noticed later, by libmicrohttpd.
        basket_epoll_watch_hang_up(events, descriptor, connection.id)
        if mustWake { basket_eventfd_signal(wakeUp) }
    }

    func remove(_ connection: Connection, descriptor: CInt, lingeringAs copy: CInt?) {
        if copy != nil { basket_epoll_forget(events, descriptor) }
        let lingers = state.withLock { state in
            state.connections[connection.id] = nil
            Self.dismiss(connection.address, from: &state)
            guard let copy, !state.isEnding, state.lingering.count < Self.lingeringLimit else {
                return false
            }
            state.lingering[copy] = uptime() + Self.lingeringTime
            return true
        }
        guard let copy else { return }
        if lingers {
            basket_epoll_watch_readable(events, copy, Self.lingeringFlag | UInt64(copy))
        } else {
            close(copy)
        }
    }

    /// How many connections there are, with those that no worker has seen yet.
    var admitted: Int {
        state.withLock { $0.admitted }
    }

    /// Counts one more connection of that customer, unless it has as many as it may.
    func admit(_ address: NetworkAddress, limit: Int) -> Bool {
        state.withLock { state in
            let count = state.perCustomer[address.customer] ?? 0
            guard count < limit else { return false }
            state.perCustomer[address.customer] = count + 1
            state.admitted += 1
            return true
        }
    }

    func dismiss(_ address: NetworkAddress) {
        state.withLock { Self.dismiss(address, from: &$0) }
    }

    private static func dismiss(_ address: NetworkAddress, from state: inout State) {
        state.admitted -= 1
        if let count = state.perCustomer[address.customer] {
            state.perCustomer[address.customer] = count > 1 ? count - 1 : nil
        }
    }

    var all: [Connection] {
        state.withLock { Array($0.connections.values) }
    }

    private func run() {
        var found = [basket_event](repeating: basket_event(), count: 64)
        var nextTick = uptime() + tick
        while true {
            let (isEnding, sleeps) = state.withLock { state in
                state.isSleeping = state.connections.isEmpty && state.lingering.isEmpty
                return (state.isEnding, state.isSleeping)
            }
            if isEnding { break }
            let now = uptime()
            if now >= nextTick {
                lookAtClocks(now)
                nextTick = now + tick
            }
            let wait = sleeps ? -1 : (nextTick - now).roundedUpMilliseconds
            let count = basket_epoll_wait(events, &found, CInt(found.count), wait)
            for event in found.prefix(Int(count)) { handle(event) }
        }
        let lingering = state.withLock { state in
            defer { state.lingering = [:] }
            return state.lingering.keys.sorted()
        }
        for descriptor in lingering { close(descriptor) }
    }

    private func handle(_ event: basket_event) {
        if event.id == 0 {
            basket_eventfd_clear(wakeUp)
        } else if event.id & Self.lingeringFlag != 0 {
            drain(CInt(event.id & ~Self.lingeringFlag))
        } else if event.hung_up != 0 {
            // A number, not a pointer: by now the connection may be gone, and its descriptor another's.
            state.withLock { $0.connections[event.id] }?.peerWentAway()
        }
    }

    private func drain(_ descriptor: CInt) {
        var scratch = [UInt8](repeating: 0, count: 16 << 10)
        for _ in 0..<Self.lingeringReads {
            let got = basket_receive_now(descriptor, &scratch, scratch.count)
            if got > 0 { continue }
            if got < 0, errno == EAGAIN || errno == EINTR { return }
            return forget(lingering: descriptor)
        }
        forget(lingering: descriptor)
    }

    private func forget(lingering descriptor: CInt) {
        let wasThere = state.withLock { $0.lingering.removeValue(forKey: descriptor) != nil }
        if wasThere { close(descriptor) }
    }

    private func lookAtClocks(_ now: Duration) {
        let (connections, overdue) = state.withLock { state in
            (
                Array(state.connections.values),
                state.lingering.filter { $0.value < now }.keys.sorted()
            )
        }
        for descriptor in overdue { forget(lingering: descriptor) }
        let moment = now.wholeNanoseconds
        for connection in connections {
            if connection.headersDue.load(ordering: .relaxed) < moment { connection.cut() }
            connection.nudgeIfPeerIsGone()
            connection.exchange?.lookAtPace(now)
        }
    }
}

extension Duration {
    fileprivate var roundedUpMilliseconds: CInt {
        CInt(clamping: max(0, wholeNanoseconds / 1_000_000 + 1))
    }
}
