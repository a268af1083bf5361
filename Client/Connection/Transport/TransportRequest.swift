/// One HTTP request, to the server that its transport is for.
package struct TransportRequest: Sendable {
    package var method: String
    /// Path and query, below the server's address; percent-encoded already.
    package var target: String
    package var headers: [(name: String, value: String)]
    package var body: TransportBody
    package var timeouts: TransportTimeouts
    /// Whether the body waits until the server has said that it wants it.
    package var asksBeforeSending: Bool
    /// Whether the answer may travel compressed; its consumer sees it uncompressed.
    package var takesCompressed: Bool
    /// Whether the answer is a stream that goes on and on. It does not take up one of the places that
    /// requests share.
    package var isStream: Bool
    /// Whether the answer may be long. Long ones, like long bodies, take up no more than a part of the places,
    /// so that nobody who asks a short question waits for them.
    package var isLong: Bool
    /// Whether somebody waits for it. What nobody waits for, and may be long, leaves some places free for those that
    /// somebody waits for.
    package var isAwaited: Bool
    /// Called with what has travelled so far, on the task that sends.
    package var progress: (@Sendable (TransferProgress) -> Void)?

    package init(
        _ method: String, _ target: String, headers: [(name: String, value: String)] = [],
        body: TransportBody = .none, timeouts: TransportTimeouts = TransportTimeouts()
    ) {
        self.method = method
        self.target = target
        self.headers = headers
        self.body = body
        self.timeouts = timeouts
        asksBeforeSending = false
        takesCompressed = false
        isStream = false
        isLong = false
        isAwaited = true
    }
}
