import BasketModels

/// What an event feed tells.
package enum ServerEvent: Sendable {
    /// The stream stands. What happened while it did not is told next.
    case connected
    /// The stream is gone, and is being brought back.
    case disconnected(ConnectionError)
    /// A domain's feed has moved on.
    case changed(domain: DomainReference, anchor: String)
    /// Locks on an item came or went; nil for so many items that they are not named.
    case locked(domain: String, item: String?)
    /// Domains came, went, were renamed, or began their feed anew: the names of those that there are.
    case domains([String])

    /// A domain, by what never changes and by what this account calls it.
    package struct DomainReference: Sendable, Hashable {
        package let id: String
        package let name: String

        package init(id: String, name: String) {
            self.id = id
            self.name = name
        }
    }
}

extension ServerEvent {
    private struct Change: Decodable {
        var domain: String
        var id: String
        var anchor: String
    }

    private struct Lock: Decodable {
        var domain: String
        var item: String
    }

    private struct Domains: Decodable {
        var domains: [String]
    }

    /// Nil for an event that this client does not know: newer servers may tell more.
    package init?(_ event: EventStreamParser.Event) throws(ConnectionError) {
        let data = Array(event.data.utf8)
        switch event.name {
        case "change":
            let change = try AnswerReader.read(Change.self, data)
            self = .changed(
                domain: DomainReference(id: change.id, name: change.domain), anchor: change.anchor)
        case "lock":
            let lock = try AnswerReader.read(Lock.self, data)
            self = .locked(domain: lock.domain, item: lock.item)
        case "domains": self = .domains(try AnswerReader.read(Domains.self, data).domains)
        default: return nil
        }
    }
}
