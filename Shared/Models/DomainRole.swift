/// What an account may do in a domain.
package enum DomainRole: String, Sendable, DecodableWord {
    case reader
    case writer
    case owner

    package var mayWrite: Bool { self != .reader }
    package var mayManage: Bool { self == .owner }
}
