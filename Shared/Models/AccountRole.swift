/// What an account may do on the server.
package enum AccountRole: String, Sendable, Codable, CaseIterable {
    case administrator
    case member
}
