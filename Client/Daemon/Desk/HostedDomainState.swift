/// A domain, as its daemon tells of it.
package struct HostedDomainState: Codable, Sendable, Equatable {
    package enum State: String, Codable, Sendable {
        case starting, serving, failing, disabled
        /// Nothing is known of it, and nothing done with it: its record cannot be read.
        case unreadable
    }

    package var domain: String
    package var name: String
    package var state: State
    /// Why it is not served.
    package var reason: String?
    /// Where people see it.
    package var folder: String?
    /// Where its host is spoken to, while there is one.
    package var socket: String?
    package var process: Int32?
    package var info: [String: String]?

    /// Whether a person means it by that word.
    package func isCalled(_ word: String) -> Bool { name == word || domain == word }

    package init(
        domain: String, name: String, state: State, reason: String? = nil,
        info: [String: String]? = nil
    ) {
        self.domain = domain
        self.name = name
        self.state = state
        self.reason = reason
        self.info = info
    }
}
