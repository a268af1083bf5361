import BasketContent
import BasketSupport

/// Why a request got no answer, or not all of it.
package enum TransportError: Error {
    /// No server with that name.
    case nameNotFound(String)
    case refused
    /// The network is down, or leads nowhere near.
    case noRoute
    /// Another reason for which there is no connection, in words.
    case notConnected(String)
    /// No connection in time.
    case connectTimedOut
    /// The server's certificate is not the one that it must be.
    case certificateNotPinned(offered: ContentHash?)
    /// No authority that the system trusts vouches for the certificate, or not for this name.
    case certificateNotTrusted(offered: ContentHash?, reason: String)
    /// The answer did not begin in time.
    case noAnswer
    /// A body that was on its way went no further.
    case stalled
    /// The connection ended in the middle.
    case broken(String)
    /// What came is not HTTP, or too much of it.
    case notUnderstood(String)
    /// The request cannot be sent as it is.
    case notSendable(String)
    /// The file that is sent cannot be read.
    case source(FileError)
    /// The file that is sent ends before its announced length.
    case sourceTooShort
    /// What the consumer threw.
    case consumer(any Error)
    case cancelled
}
