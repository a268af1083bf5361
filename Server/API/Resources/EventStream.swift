import BasketHTTP
import BasketModels
import BasketStore
import BasketSupport

/// One open stream: it tells each change of a domain by its newest anchor, so that a burst is one
/// event, and ends when the account may not listen any more.
struct EventStream: Sendable {
    let call: Call
    let output: HTTPStreamWriter

    /// A domain that the account has a part in, as the stream names it.
    private struct Known: Sendable {
        let name: String
    }

    private enum Turn: Sendable {
        case events([StoreEvent])
        case heartbeat
        case end
    }

    func run(resuming resumed: EventID?) async throws {
        var position = resumed ?? EventID()
        var greeted: Set<Int64> = []
        var isFirst = true
        // It does not change. Nobody tells of the moment, so each pause ends with it at the latest.
        let expiry = try call.expiry()
        var previous: ChangeListener?
        var missed: [StoreEvent] = []
        while !Task.isCancelled {
            // Anew after each change of what the account may see. A command beside the server tells of no
            // more than that something changed: it may have logged this device out, or given the account
            // another password.
            guard try await call.isStillIn() else { return }
            let domains = try call.store.read { try $0.domains(of: call.identity.account) }
            let listener = call.store.hub.listen(
                to: Set(domains.map(\.id)), account: call.identity.account)
            // Nothing else tells of locks once more.
            missed += previous?.take().filter(\.isLock) ?? []
            previous = listener
            // Of what happened before it began to listen, it was told nothing.
            guard try await call.isStillIn() else { return }
            let now = try call.store.read { try $0.domains(of: call.identity.account) }
            guard now.map(\.id) == domains.map(\.id) else { continue }
            try await greet(&position, &greeted, isFirst: isFirst)
            isFirst = false
            let names = Dictionary(
                uniqueKeysWithValues: domains.map { ($0.id, Known(name: $0.name)) })
            guard try await listen(listener, names, expiry, &position, after: missed) else {
                return
            }
            missed = []
        }
    }

    /// So many are told of as a stream begins. There are more only where somebody plays tricks.
    private static let mostLocked = 1000

    /// Tells where each domain stands, after the listener began: what changed in between is told
    /// twice rather than never. Of locks, nothing else tells that they are held: no feed, and no anchor.
    private func greet(
        _ position: inout EventID, _ greeted: inout Set<Int64>, isFirst: Bool
    ) async throws {
        let domains = try call.store.read { try $0.domains(of: call.identity.account) }
        var text: [UInt8] = []
        if isFirst { text += "retry: 1000\n\n".utf8 }
        position.keep(Set(domains.map(\.id)))
        for domain in domains {
            let isNews = position[domain.id] != domain.anchor
            position[domain.id] = domain.anchor
            if isNews { text += change(domain.id, domain.name, domain.anchor, position) }
            guard greeted.insert(domain.id).inserted else { continue }
            let locked = try call.store.read {
                try $0.lockedItems(in: domain.id, at: call.world.now(), limit: Self.mostLocked)
            }
            for item in locked { text += lock(on: item, domain.name, position) }
        }
        if !isFirst {
            text += event("domains", id: position) { writer in
                writer.key("domains")
                writer.array { writer in
                    for domain in domains { writer.string(domain.name) }
                }
            }
        }
        if !text.isEmpty { try await output.write(text) }
    }

    /// True when the listener has to be made anew, false when the stream is over.
    private func listen(
        _ listener: ChangeListener, _ names: [Int64: Known], _ expiry: Timestamp?,
        _ position: inout EventID, after missed: [StoreEvent]
    ) async throws -> Bool {
        var missed = missed
        while true {
            let turn =
                missed.isEmpty ? try await nextTurn(listener, until: expiry) : .events(missed)
            missed = []
            if let expiry, call.world.now() >= expiry { return false }
            switch turn {
            case .end: return false
            case .heartbeat: try await output.write(ServerSentEvent.heartbeat)
            case .events(let events):
                var text: [UInt8] = []
                var beginsAnew = false
                for happened in events {
                    switch happened {
                    case .changed(let domain, let anchor):
                        guard let known = names[domain] else { continue }
                        position[domain] = anchor
                        text += change(domain, known.name, anchor, position)
                    case .locked(let domain, let item):
                        guard let known = names[domain] else { continue }
                        text += lock(on: item, known.name, position)
                    case .membership: beginsAnew = true
                    case .revoked(let device, _):
                        if device == call.identity.device { return false }
                    case .accountChanged, .stopping:
                        // A password or a role is not what it was: whoever may, comes back.
                        return false
                    }
                }
                if !text.isEmpty { try await output.write(text) }
                if beginsAnew { return true }
            }
        }
    }

    private func nextTurn(
        _ listener: ChangeListener, until expiry: Timestamp?
    ) async throws -> Turn {
        let waiting = listener.take()
        if !waiting.isEmpty { return .events(waiting) }
        let world = call.world
        let left = expiry.map { max(.zero, $0 - world.now()) } ?? Events.heartbeat
        return await withTaskGroup(of: Turn.self) { group in
            group.addTask {
                let events = await listener.next()
                return events.isEmpty ? .end : .events(events)
            }
            group.addTask {
                do {
                    try await world.sleep(min(Events.heartbeat, left))
                    return .heartbeat
                } catch {
                    return .end
                }
            }
            let first = await group.next() ?? .end
            group.cancelAll()
            // Events that came together with the heartbeat must not be lost.
            let second = await group.next() ?? .end
            if case .events = second { return second }
            return Task.isCancelled ? .end : first
        }
    }

    private func change(
        _ domain: Int64, _ name: String, _ anchor: Anchor, _ position: EventID
    ) -> [UInt8] {
        event("change", id: position) { writer in
            writer.key("domain")
            writer.string(name)
            writer.key("id")
            writer.string(ItemID(rawValue: domain).description)
            writer.key("anchor")
            writer.string(anchor.description)
        }
    }

    private func lock(on item: ItemID, _ domain: String, _ position: EventID) -> [UInt8] {
        event("lock", id: position) { writer in
            writer.key("domain")
            writer.string(domain)
            writer.key("item")
            writer.string(item.description)
        }
    }

    private func event(
        _ name: String, id: EventID, _ body: (inout JSONWriter) -> Void
    ) -> [UInt8] {
        var writer = JSONWriter()
        writer.object(body)
        let data = String(decoding: writer.bytes, as: UTF8.self)
        return ServerSentEvent(id: id.text, name: name, data: data).bytes
    }
}

extension StoreEvent {
    fileprivate var isLock: Bool {
        if case .locked = self { true } else { false }
    }
}
