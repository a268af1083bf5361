import Synchronization

/// Brings committed events to whoever listens. It keeps nothing: what nobody listened to is in the
/// feed.
package final class ChangeHub: Sendable {
    private struct State {
        var nextNumber = 0
        var isClosed = false
        var mailboxes: [Int: Mailbox] = [:]
        var ofDomain: [Int64: Set<Int>] = [:]
        var ofAccount: [Int64: Set<Int>] = [:]
    }

    private let state = Mutex(State())
    private let observers = Mutex<[@Sendable (StoreEvent) -> Void]>([])

    package init() {}

    /// Has `body` called for every event, on the writer's thread and before listeners hear of it;
    /// it must not block.
    package func observe(_ body: @escaping @Sendable (StoreEvent) -> Void) {
        observers.withLock { $0.append(body) }
    }

    /// Listens to these domains and to what happens to the account, until the listener is let go.
    package func listen(to domains: Set<Int64>, account: Int64? = nil) -> ChangeListener {
        let mailbox = Mailbox()
        let number = state.withLock { state in
            state.nextNumber += 1
            state.mailboxes[state.nextNumber] = mailbox
            for domain in domains { state.ofDomain[domain, default: []].insert(state.nextNumber) }
            if let account { state.ofAccount[account, default: []].insert(state.nextNumber) }
            if state.isClosed { mailbox.put(.stopping) }
            return state.nextNumber
        }
        return ChangeListener(mailbox: mailbox) { [weak self] in
            self?.remove(number, domains: domains, account: account)
        }
    }

    /// Tells all that listen, and all that will, to wait no longer.
    package func close() {
        let mailboxes = state.withLock { state in
            state.isClosed = true
            return Array(state.mailboxes.values)
        }
        for mailbox in mailboxes { mailbox.put(.stopping) }
    }

    package var listenerCount: Int {
        state.withLock { $0.mailboxes.count }
    }

    func publish(_ event: StoreEvent) {
        for observer in observers.withLock({ $0 }) { observer(event) }
        let mailboxes = state.withLock { state -> [Mailbox] in
            let numbers =
                switch event {
                case .changed(let domain, _), .locked(let domain, _): state.ofDomain[domain]
                case .membership(let account), .accountChanged(let account):
                    state.ofAccount[account]
                case .revoked(_, let account): state.ofAccount[account]
                case .stopping: Set(state.mailboxes.keys)
                }
            return (numbers ?? []).compactMap { state.mailboxes[$0] }
        }
        for mailbox in mailboxes { mailbox.put(event) }
    }

    private func remove(_ number: Int, domains: Set<Int64>, account: Int64?) {
        state.withLock { state in
            state.mailboxes[number] = nil
            for domain in domains {
                state.ofDomain[domain]?.remove(number)
                if state.ofDomain[domain]?.isEmpty == true { state.ofDomain[domain] = nil }
            }
            if let account {
                state.ofAccount[account]?.remove(number)
                if state.ofAccount[account]?.isEmpty == true { state.ofAccount[account] = nil }
            }
        }
    }
}
