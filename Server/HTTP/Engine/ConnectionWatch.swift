import BasketSupport
import CLinux
import Glibc
import Synchronization

/// Sees what libmicrohttpd does not look at: that the client of a suspended connection went away, that
/// headers or a body come too slowly, and that a closed connection's client is still sending. One
/// thread, which sleeps while there is no connection.
final class ConnectionWatch: Sendable {
    private struct State {
        var connections: [UInt64: Connection] = [:]
        var admitted = 0
        var perCustomer: [NetworkAddress: Int] = [:]
        var isEnding = false
        var isSleeping = false
    }
    private let state = Mutex(State())
    private let events: CInt
    private let wakeUp: CInt
    private let lingering: LingeringSockets
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
        lingering = LingeringSockets(events: events)
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
        if let copy {
            // With a copy of the descriptor, its closing would not do this.
            basket_epoll_forget(events, descriptor)
            // First this, so that the watch does not fall asleep in between.
            lingering.add(copy, now: uptime())
        }
        state.withLock { state in
            state.connections[connection.id] = nil
            Self.dismiss(connection.address, from: &state)
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
                state.isSleeping = state.connections.isEmpty && lingering.isEmpty
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
        lingering.endAll()
    }

    private func handle(_ event: basket_event) {
        if event.id == 0 {
            basket_eventfd_clear(wakeUp)
        } else if LingeringSockets.includes(event.id) {
            lingering.drain(event.id)
        } else if event.hung_up != 0 {
            // A number, not a pointer: by now the connection may be gone, and its descriptor another's.
            state.withLock { $0.connections[event.id] }?.peerWentAway()
        }
    }

    private func lookAtClocks(_ now: Duration) {
        lingering.endOverdue(at: now)
        let connections = all
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
