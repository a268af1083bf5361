/// What an account may do on the server.
package enum AccountRole: String, Sendable, DecodableWord {
    case administrator
    case member
}
