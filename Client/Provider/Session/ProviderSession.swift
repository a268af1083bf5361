import BasketConnection
import BasketModels
import BasketSupport
import FileProvider
import Synchronization

/// The domain's server, as one instance of the extension speaks to it: who is logged in, what is known of
/// the domain, and what the server tells by itself.
final class ProviderSession: Sendable {
    private struct LogIn {
        var token: String?
        var connection: ServerConnection?
        /// A call was refused for want of room: whatever changes may have made some.
        var wantsRoom = false
        /// The server is being waited for.
        var isProbing = false
        var probePauses = ProbePauses()
        /// The server tells by itself what happens.
        var isStreaming = false
        var isPolling = false
        /// A call was refused for what this account may do here: that may change.
        var wantsLeave = false
        /// Nothing is asked with that one for a while.
        var rejected: Rejection?
        var facts: DomainFacts?
        /// How often they were asked for, and by which time those that are known were.
        var questions = 0
        var answered = 0
        var stopListening: (@Sendable () -> Void)?
        var isClosed = false
    }

    let environment: ProviderEnvironment
    let device: DeviceState
    let calls: CallRegistry
    /// What was listed to find what has a name.
    let listings: FolderListings
    let signals: SystemSignals
    /// The server is another one, or is where it was earlier, and what is here is being offered to it.
    let isOffering = Mutex(false)
    let logInQuestion = SharedQuestion<String?>()
    /// The keyring that has the log-in is being waited for.
    let awaitsKeyring = Mutex(false)
    private let logIn = Mutex(LogIn())
    private let factsQuestion = SharedQuestion<DomainFacts>()

    init(_ environment: ProviderEnvironment, device: DeviceState, signals: SystemSignals) {
        self.environment = environment
        self.device = device
        self.signals = signals
        calls = CallRegistry(world: environment.world)
        listings = FolderListings(world: environment.world)
    }

    var world: World { environment.world }

    /// What the server is asked for: a name only as long as nobody has ever heard an identifier.
    var domain: String {
        logIn.withLock { $0.facts?.id } ?? device.domain(named: environment.domain)
            ?? environment.domain
    }

    func close() {
        let stop = logIn.withLock { state in
            state.isClosed = true
            return state.stopListening.take()
        }
        stop?()
        calls.close()
    }

    // MARK: Calls

    /// Asks the server, as whoever is logged in. Only its own word ends a log-in.
    /// - Parameter isAwaited: whether somebody waits for it.
    func call<Answer>(
        isAwaited: Bool = true,
        _ body: (ServerConnection, _ domain: String) async throws -> Answer
    ) async throws -> Answer {
        let (connection, token) = try await connected()
        do {
            return try await body(isAwaited ? connection : connection.unhurried, domain)
        } catch let error as ConnectionError {
            try check(error, token)
            throw error
        }
    }

    /// Notes what has to pass before another call can succeed.
    private func check(_ error: ConnectionError, _ token: String) throws {
        if case .otherServer(let name) = error { meet(name) }
        switch Reaction(error) {
        case .logIn:
            reject(token)
            throw ProviderFailure.notLoggedIn
        case .waitForServer: probe()
        default: note(error)
        }
    }

    /// Notes what somebody waits for that may come by itself.
    func note(_ error: ConnectionError) {
        if Reaction(error) == .waitForRoom { logIn.withLock { $0.wantsRoom = true } }
        if ["forbidden", "no_such_domain"].contains(error.code) {
            logIn.withLock { $0.wantsLeave = true }
        }
    }

    /// Room may have been made: here, in another domain of the account, or by who gives it.
    private func tellOfRoom() {
        let wantedRoom = logIn.withLock { state in
            defer { state.wantsRoom = false }
            return state.wantsRoom
        }
        if wantedRoom { signals.resolved(.insufficientQuota) }
    }

    /// Asks the server until it answers, then says so. The event stream does the same when it is the one that
    /// broke, but it may have stood through whatever went wrong.
    private func probe() {
        let begins = logIn.withLock { state in
            defer { state.isProbing = true }
            return !state.isProbing
        }
        guard begins else { return }
        background { session in
            defer { session.logIn.withLock { $0.isProbing = false } }
            while let connection = session.logIn.withLock({ $0.connection }) {
                let now = session.world.uptime()
                let pause = session.logIn.withLock { $0.probePauses.next(at: now) }
                try await session.world.sleep(pause)
                do {
                    _ = try await connection.server()
                    let now = session.world.uptime()
                    session.logIn.withLock { $0.probePauses.note(answerAt: now) }
                    return session.signals.resolved(.serverUnreachable)
                } catch {
                    continue
                }
            }
        }
    }

    /// What this server says is believed from now on.
    func accept(_ server: String) {
        logIn.withLock { $0.connection }?.known.accept(server)
        signals.resolved(.serverUnreachable)
        signals.changed()
    }

    private func reject(_ token: String) {
        let now = world.uptime()
        let stop: (@Sendable () -> Void)? = logIn.withLock { state in
            state.rejected = Rejection(token: token, moment: now)
            guard state.token == token else { return nil }
            state.token = nil
            state.connection = nil
            return state.stopListening.take()
        }
        stop?()
    }

    func connected() async throws -> (ServerConnection, token: String) {
        let known = logIn.withLock { state in
            state.token.flatMap { token in state.connection.map { ($0, token) } }
        }
        if let known { return known }
        let token = try await storedToken()
        let rejected = logIn.withLock { $0.rejected }
        guard let token, rejected?.stands(for: token, at: world.uptime()) != true else {
            throw ProviderFailure.notLoggedIn
        }
        let fresh = environment.connect(token)
        device.server.map(fresh.known.accept)
        let (connection, isFirst) = logIn.withLock { state -> (ServerConnection, Bool) in
            if let connection = state.connection, state.token == token {
                return (connection, false)
            }
            state.token = token
            state.connection = fresh
            return (fresh, true)
        }
        if isFirst {
            // Whether one is known by now that was not, its first answer says.
            if let rejected, rejected.token != token { signals.resolved(.notAuthenticated) }
            listen(connection, token)
        }
        return (connection, token)
    }

    // MARK: The domain

    func facts() async throws -> DomainFacts {
        if let known = knownFacts { return known }
        return try await factsQuestion.answer {
            // It may have been answered since it was looked.
            if let known = knownFacts { return known }
            return try await refreshFacts()
        }
    }

    var knownFacts: DomainFacts? { logIn.withLock { $0.facts } }

    @discardableResult
    private func refreshFacts() async throws -> DomainFacts {
        let question = logIn.withLock { state in
            state.questions += 1
            return state.questions
        }
        let facts = try await call { connection, domain in
            async let info = connection.domain(domain)
            async let members = connection.members(of: domain)
            let count: Int
            do {
                count = try await members.count
            } catch let error as ConnectionError where error.code == "forbidden" {
                count = 2  // Somebody else knows who they are.
            }
            return DomainFacts(try await info, members: count)
        }
        let (before, isNewest) = logIn.withLock { state in
            let before = state.facts
            // Who was asked later may have been answered sooner.
            let isNewest = question > state.answered
            if isNewest { (state.facts, state.answered) = (facts, question) }
            return (before, isNewest)
        }
        if let before, !isNewest { return before }
        await keepDomain(facts.id)
        // Whoever was put out may have been let in again, with the same role as before.
        let wantedLeave = logIn.withLock { state in
            defer { state.wantsLeave = false }
            return state.wantsLeave
        }
        if wantedLeave || before.map({ $0.role != facts.role }) ?? false {
            signals.resolved(.cannotSynchronize)
        }
        if let before, before != facts {
            // People saw the domain differently until now.
            try await device.raiseVersion()
            signals.changed()
        }
        return facts
    }

    private func keepDomain(_ id: String) async {
        do {
            let server = logIn.withLock { $0.connection }?.known.name
            if device.server == nil, let server { try await device.keepServer(server) }
            try await device.keepDomain(id, named: environment.domain)
        } catch {
            // A full disk keeps nobody from reading; the next instance asks by the name again.
            world.log.write(.warning, "domain not remembered", ["reason": .text("\(error)")])
        }
    }

    /// What the system is told of an item.
    func item(_ info: ItemInfo) async throws -> BasketItem {
        listings.note([info])
        // Whoever asks for one item is told of its locks.
        return BasketItem(info, facts: try await facts(), marks: device.marks(of: info.id))
    }

    /// The item as it is on the server now, and who has it open.
    func freshItem(_ id: String) async throws -> BasketItem {
        let info = try await call { try await $0.item(id, in: $1) }
        await device.setLocks(info.locks, on: info.id)
        return try await item(info)
    }

    /// Has the system look for changes.
    func signal() {
        signals.changed()
    }

    // MARK: What the server tells

    private func listen(_ connection: ServerConnection, _ token: String) {
        let stop = environment.events.listen(
            environment.server, token: token, connection, world: world
        ) { [weak self] news in self?.hear(news, token) }
        let isOver = logIn.withLock { state in
            guard !state.isClosed, state.token == token else { return true }
            state.stopListening = stop
            return false
        }
        if isOver { stop() }
    }

    private func hear(_ news: EventRegistry.News, _ token: String) {
        switch news {
        case .event(.connected):
            logIn.withLock { $0.isStreaming = true }
            signals.resolved(.serverUnreachable)
            background { try await $0.catchUp() }
        case .event(.changed(let domain, _)):
            if isOurs(domain.id) || isOurs(domain.name) { signals.changed() }
            tellOfRoom()
        case .event(.locked(let domain, let item)):
            guard isOurs(domain) else { return }
            background { session in
                for item in item.map({ [$0] }) ?? session.device.locks.items {
                    try await session.refreshLocks(item)
                }
            }
        case .event(.domains):
            tellOfRoom()
            background { try await $0.refreshFacts() }
        case .event(.disconnected):
            let wasStreaming = logIn.withLock { $0.isStreaming }
            poll()
            // The system asks, and learns that nobody can be reached before somebody waits for a file.
            if wasStreaming { signals.changed() }
        case .ended(let error):
            poll()
            listenAgain(after: error, token)
        }
    }

    /// Asks for what nobody has told.
    private func catchUp() async throws {
        signals.changed()
        tellOfRoom()
        try await refreshFacts()
        for item in device.locks.items { try await refreshLocks(item) }
    }

    /// Asks now and then, for as long as the server tells nothing by itself: something on the way to it may let
    /// no stream through.
    private func poll() {
        let begins = logIn.withLock { state in
            state.isStreaming = false
            defer { state.isPolling = true }
            return !state.isPolling
        }
        guard begins else { return }
        background { session in
            while true {
                try await session.world.sleep(session.environment.pollingPause)
                if session.endsPolling() { return }
                // What fails is asked again the next time.
                try? await session.catchUp()
            }
        }
    }

    private func endsPolling() -> Bool {
        logIn.withLock { state in
            if state.isStreaming || state.connection == nil || state.isClosed {
                state.isPolling = false
            }
            return !state.isPolling
        }
    }

    private func isOurs(_ domain: String) -> Bool {
        let facts = knownFacts
        return domain == environment.domain || domain == facts?.id || domain == facts?.name
    }

    /// How long a stream that was refused is left alone, when nobody was logged out.
    private static let listeningPause = Duration.seconds(60)

    private func listenAgain(after error: ConnectionError, _ token: String) {
        if case .cancelled = error { return }
        if Reaction(error) == .logIn {
            reject(token)
            // The system asks, and is told that nobody is logged in.
            return signals.changed()
        }
        background { session in
            try await session.world.sleep(Self.listeningPause)
            let connection = session.logIn.withLock { $0.token == token ? $0.connection : nil }
            if let connection { session.listen(connection, token) }
        }
    }

    private func refreshLocks(_ item: String) async throws {
        let locks: [LockInfo]
        do {
            locks = try await call { try await $0.locks(on: item, in: $1) }
        } catch let error as ConnectionError where Reaction(error) == .forget {
            locks = []
        }
        if await device.setLocks(locks, on: item) { signals.changed() }
    }

    /// What fails here is noticed by whoever needs it: nobody waits for it.
    func background(_ work: @escaping @Sendable (ProviderSession) async throws -> Void) {
        calls.spawn { [weak self] in
            guard let self else { return }
            do {
                try await work(self)
            } catch {
                self.world.log.write(
                    .debug, "background work failed", ["reason": .text("\(error)")])
            }
        }
    }
}
