/// What an account may do on the server.
package enum AccountRole: String, Sendable, Codable, CaseIterable {
    case administrator
    case member
}

/// What an account may do in a domain.
package enum DomainRole: String, Sendable, Codable, CaseIterable {
    case reader
    case writer
    case owner

    package var mayWrite: Bool { self != .reader }
    package var mayManage: Bool { self == .owner }
}
