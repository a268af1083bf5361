/// Why a request's body ended before its last byte.
package enum HTTPBodyFailure: Error, Equatable, Sendable {
    /// The client closed the connection, or broke the framing.
    case clientGone
    /// The client sent too little for too long. Whatever the handler answers, the client gets a 408.
    case tooSlow
    /// The server stops.
    case stopping
}
