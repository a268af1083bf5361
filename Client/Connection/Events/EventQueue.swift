import Synchronization

/// Events between the stream and whoever listens. However slow the listener is, it stays small: of each
/// domain only the newest anchor waits, and what is too much is told as less precise.
package final class EventQueue: AsyncSequence, Sendable {
    package typealias Element = ServerEvent
    package typealias Failure = ConnectionError

    /// Items of one domain that wait to be named.
    private static let mostLocks = 256
    /// Domains that are waiting; a server that names more makes them up.
    private static let mostDomains = 10_000

    private struct State {
        /// Nil when nothing is to be told; else the newest state of the connection.
        var connection: ServerEvent?
        var changes: [ServerEvent.DomainReference: String] = [:]
        /// In the order in which they began to wait.
        var changed: [ServerEvent.DomainReference] = []
        var locks: [String: [String]] = [:]
        var locked: [String] = []
        /// Domains of which so many items are locked that they are not named.
        var crowded: Set<String> = []
        var domains: [String]?
        var end: Result<Void, ConnectionError>?
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    init() {}

    func add(_ event: ServerEvent) throws(ConnectionError) {
        let (isTooMuch, waiter) = state.withLock {
            state -> (Bool, CheckedContinuation<Void, Never>?) in
            switch event {
            case .connected, .disconnected: state.connection = event
            case .changed(let domain, let anchor):
                if state.changes.updateValue(anchor, forKey: domain) == nil {
                    state.changed.append(domain)
                }
            case .locked(let domain, let item): Self.addLock(domain, item, &state)
            case .domains(let names): state.domains = names
            }
            return (
                Swift.max(state.changed.count, state.locked.count) > Self.mostDomains,
                state.waiter.take()
            )
        }
        waiter?.resume()
        if isTooMuch { throw .badAnswer("events name more domains than there can be") }
    }

    private static func addLock(_ domain: String, _ item: String?, _ state: inout State) {
        if state.locks[domain] == nil {
            state.locks[domain] = []
            state.locked.append(domain)
        }
        guard let item, !state.crowded.contains(domain),
            state.locks[domain]?.contains(item) == false
        else { return }
        state.locks[domain]?.append(item)
        if state.locks[domain, default: []].count > mostLocks {
            state.locks[domain] = []
            state.crowded.insert(domain)
        }
    }

    func finish(_ end: Result<Void, ConnectionError>) {
        let waiter = state.withLock { state in
            if state.end == nil { state.end = end }
            return state.waiter.take()
        }
        waiter?.resume()
    }

    package func makeAsyncIterator() -> Iterator { Iterator(queue: self) }

    /// One listener at a time.
    package struct Iterator: AsyncIteratorProtocol {
        let queue: EventQueue

        package mutating func next() async throws(ConnectionError) -> ServerEvent? {
            try await queue.next()
        }

        package mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(ConnectionError) -> ServerEvent? {
            try await queue.next()
        }
    }

    private func next() async throws(ConnectionError) -> ServerEvent? {
        while true {
            if let event = state.withLock({ Self.take(&$0) }) { return event }
            if let end = state.withLock({ $0.end }) {
                try end.get()
                return nil
            }
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let isReady = state.withLock { state in
                        if Self.hasEvent(state) || state.end != nil { return true }
                        state.waiter = continuation
                        return false
                    }
                    if isReady { continuation.resume() }
                }
            } onCancel: {
                finish(.failure(.cancelled))
            }
        }
    }

    private static func hasEvent(_ state: State) -> Bool {
        state.connection != nil || state.domains != nil || !state.changed.isEmpty
            || !state.locked.isEmpty
    }

    private static func take(_ state: inout State) -> ServerEvent? {
        if let event = state.connection.take() { return event }
        if let names = state.domains.take() { return .domains(names) }
        if let domain = state.changed.first {
            state.changed.removeFirst()
            return state.changes.removeValue(forKey: domain)
                .map { .changed(domain: domain, anchor: $0) }
        }
        guard let domain = state.locked.first else { return nil }
        let item = state.locks[domain]?.popLast()
        if state.locks[domain]?.isEmpty != false {
            state.locks[domain] = nil
            state.crowded.remove(domain)
            state.locked.removeFirst()
        }
        return .locked(domain: domain, item: item)
    }
}
