import BasketContent

/// Why the server cannot be reached.
package enum UnreachableReason: Sendable, Equatable {
    case nameNotFound(String)
    case refused
    case noRoute
    case notConnected(String)
    case timedOut
    case stalled
    case broken(String)
    /// Another certificate than the one that was agreed on.
    case certificateNotPinned(offered: ContentHash?)
    /// A certificate that no authority vouches for.
    case certificateNotTrusted(offered: ContentHash?, reason: String)

    /// For people: what happened, then what to do about it. The wording may change.
    package var message: String {
        switch self {
        case .nameNotFound(let reason):
            "No server of this name was found (\(reason)). Check the spelling and the network."
        case .refused: "The server's machine answers, but no server does. It may not be running."
        case .noRoute: "There is no way to the server. Check whether this device is in its network."
        case .notConnected(let reason):
            "There is no connection to the server: \(reason). Check the network, and the server's address."
        case .timedOut:
            "The server did not answer in time. It may be busy, or something between may hold back what is sent to it."
        case .stalled:
            "The connection to the server stands still. Check the network; the server may be busy, too."
        case .broken(let reason):
            "The connection to the server broke: \(reason). If that goes on, the server's log may say why."
        case .certificateNotPinned(let offered):
            """
            The server shows another certificate than before, with the SHA-256 \(Self.text(offered)). \
            Compare it with what ‘basket-server tls’ says on the server.
            """
        case .certificateNotTrusted(let offered, let reason):
            """
            The server's certificate is not trusted: \(reason). Its SHA-256 is \(Self.text(offered)). \
            If ‘basket-server tls’ says the same on the server, trust this certificate.
            """
        }
    }

    private static func text(_ hash: ContentHash?) -> String { hash?.hex ?? "unknown" }
}
