import BasketSupport
import CMicroHTTPD
import Glibc
import Synchronization

/// libmicrohttpd's daemon, and what all its connections share.
final class Engine: Sendable {
    let configuration: HTTPServerConfiguration
    let handler: any HTTPHandler
    let world: World
    let ids: RequestIDs
    let counters = Counters()
    let watch: ConnectionWatch
    let isSecure: Bool
    private let currentCredentials: Mutex<TLSCredentials?>
    private let stopping = Atomic(false)
    private let givingUp = Atomic(false)
    private let nextConnection = Atomic<UInt64>(1)
    private let headerTime: Int64
    private let idleTime: Int64
    /// Told when no request is under way any more.
    private let idleWaiter = Mutex<CheckedContinuation<Void, Never>?>(nil)

    init(
        _ configuration: HTTPServerConfiguration, handler: any HTTPHandler, world: World
    ) throws(HTTPServerError) {
        var credentials: TLSCredentials?
        if let tls = configuration.tls { credentials = try TLSCredentials(tls) }
        currentCredentials = Mutex(credentials)
        self.configuration = configuration
        self.handler = handler
        self.world = world
        ids = RequestIDs(random: world.randomUInt64())
        isSecure = configuration.tls != nil
        headerTime = configuration.limits.headerTime.wholeNanoseconds
        idleTime = configuration.limits.idleTime.wholeNanoseconds
        let shortest = min(configuration.limits.headerTime, configuration.limits.uploadWindow)
        watch = ConnectionWatch(
            tick: max(.milliseconds(10), min(.seconds(1), shortest / 4)), uptime: world.uptime)
    }

    var limits: HTTPLimits { configuration.limits }

    var isStopping: Bool { stopping.load(ordering: .acquiring) }

    /// Nobody may suspend a connection any more.
    var isGivingUp: Bool { givingUp.load(ordering: .sequentiallyConsistent) }

    /// What the server proves itself with, from the next handshake on.
    var credentials: TLSCredentials? {
        get { currentCredentials.withLock { $0 } }
        set { currentCredentials.withLock { $0 = newValue } }
    }

    // MARK: Connections

    var hasRoom: Bool {
        watch.admitted < limits.connections
    }

    /// Counts a new connection, unless its client has too many already.
    func admit(_ address: NetworkAddress) -> Bool {
        let isProxy = configuration.trustedProxies.contains { $0.contains(address) }
        return watch.admit(address, limit: isProxy ? Int.max : limits.connectionsPerAddress)
    }

    /// Takes back what `admit` counted.
    func dismiss(_ address: NetworkAddress) {
        watch.dismiss(address)
    }

    func opened(_ mhd: OpaquePointer) -> Connection {
        let descriptor = basket_mhd_descriptor(mhd)
        let connection = Connection(
            id: nextConnection.add(1, ordering: .relaxed).oldValue, engine: self,
            descriptor: descriptor, address: NetworkAddress(basket_mhd_client_address(mhd)),
            headersDue: world.uptime().wholeNanoseconds + headerTime)
        counters.connections.add(1, ordering: .relaxed)
        watch.add(connection, descriptor: descriptor)
        return connection
    }

    func closed(_ connection: Connection, _ mhd: OpaquePointer) {
        let copy = connection.close()
        watch.remove(connection, descriptor: basket_mhd_descriptor(mhd), lingeringAs: copy)
        counters.connections.subtract(1, ordering: .relaxed)
    }

    // MARK: Requests

    /// The first line of a request is there: the rest has to follow soon.
    func beganHead(of exchange: Exchange) {
        let due = exchange.startedAt.wholeNanoseconds + headerTime
        if due < exchange.connection.headersDue.load(ordering: .relaxed) {
            exchange.connection.headersDue.store(due, ordering: .relaxed)
        }
    }

    func finished(_ exchange: Exchange, _ state: Exchange.State, isComplete: Bool) {
        let now = world.uptime()
        // From now on the connection may idle; but who starts a request must finish its head. One that broke
        // off is over: libmicrohttpd forgets to look at some of them again, and they are cut.
        let due =
            now.wholeNanoseconds
            + (isComplete ? idleTime + headerTime : LingeringSockets.time.wholeNanoseconds)
        exchange.connection.headersDue.store(due, ordering: .relaxed)
        let sent = state.stream?.totalBytes ?? (isComplete ? state.sentBytes : 0)
        counters.receivedBytes.add(state.body.receivedBytes, ordering: .relaxed)
        counters.sentBytes.add(sent, ordering: .relaxed)
        counters.count(status: state.status)
        let took = now - exchange.startedAt
        if state.stream == nil { counters.durations.count(took) }
        log(exchange, state, sent: sent, took: took, isComplete: isComplete)
        guard state.phase != .head else { return }
        let left = counters.active.subtract(1, ordering: .acquiringAndReleasing).newValue
        if left == 0, isStopping { idleWaiter.withLock { $0.take() }?.resume() }
    }

    private func log(
        _ exchange: Exchange, _ state: Exchange.State, sent: Int64, took: Duration, isComplete: Bool
    ) {
        world.log.info(
            "request",
            [
                "id": .text(exchange.id),
                "method": .text(state.method?.rawValue ?? "…"),
                // Never the target itself, whose names are nobody's business but the user's.
                "path": .text(state.logLabel ?? "/…"),
                "status": .number(Int64(state.status ?? 0)),
                "bytes": .number(sent),
                "duration": .duration(took),
                "client": .text(state.clientAddress ?? exchange.connection.addressText),
                "complete": .flag(isComplete),
            ])
    }

    // MARK: The end

    /// From now on each answer closes its connection, and event streams end.
    func startStopping() {
        stopping.store(true, ordering: .releasing)
        for connection in watch.all { connection.exchange?.endEndlessStream() }
    }

    /// Returns when no request is under way, or the task is cancelled.
    func waitUntilIdle() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDone = idleWaiter.withLock { waiter in
                    if Task.isCancelled || counters.active.load(ordering: .acquiring) == 0 {
                        return true
                    }
                    waiter = continuation
                    return false
                }
                if isDone { continuation.resume() }
            }
        } onCancel: {
            idleWaiter.withLock { $0.take() }?.resume()
        }
    }

    /// Cancels every handler, and gives back what is suspended, so that the daemon can stop.
    func giveUp() {
        givingUp.store(true, ordering: .sequentiallyConsistent)
        // Who suspended a connection before, did so under its lock, and is found here.
        for connection in watch.all { connection.exchange?.giveUp() }
    }
}
