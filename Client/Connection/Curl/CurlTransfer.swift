import CCurl

/// One request on its way through curl.
///
/// Unchecked: the request and the mailbox may be used from anywhere; everything else belongs to the
/// engine's thread, on which curl calls back as well.
final class CurlTransfer: @unchecked Sendable {
    enum Phase {
        case connecting
        case sending
        case receiving
    }

    /// Longer heads are a server's mistake, or an attack.
    static let longestHead = 64 << 10

    let request: TransportRequest
    let mailbox: TransferMailbox

    var handle: UnsafeMutableRawPointer?
    /// While it is under way.
    var loop: CurlLoop?
    var headerList: UnsafeMutablePointer<curl_slist>?
    let message = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
    var phase = Phase.connecting
    /// When something last moved, on the engine's clock.
    var lastProgress: Int64 = 0
    /// The port of the connection that carries it, on this side.
    var localPort: CInt = 0
    /// How much of the body the other side had confirmed when that was last looked at.
    var confirmed: Int64 = 0
    /// Held back by the other side's slowness to us: the consumer's, or the body's source.
    var isReceivePaused = false
    var isSendPaused = false
    /// It may send what the bandwidth limit lets pass next.
    var hasTurn = false
    var head = ResponseHeadReader()
    var response: TransportResponse?
    /// Ended by the engine itself, which knows better than curl why.
    var verdict: TransportError?

    init(_ request: TransportRequest) {
        self.request = request
        mailbox = TransferMailbox(bodyLength: request.body.length)
        message.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    deinit {
        message.deallocate()
        if let headerList { curl_slist_free_all(headerList) }
    }

    var messageText: String { String(cString: message) }

    var pauseBits: Int32 {
        (isReceivePaused ? CURLPAUSE_RECV : 0) | (isSendPaused ? CURLPAUSE_SEND : 0)
    }

    /// When it has to have moved again; nil while nobody can blame the other side.
    var deadline: (moment: Int64, error: TransportError)? {
        let timeouts = request.timeouts
        switch phase {
        case .connecting:
            // curl keeps the time of its own attempt, and none while it waits for that of another request.
            return (lastProgress + 2 * timeouts.connect.nanoseconds, .connectTimedOut)
        case .sending where !mailbox.hasSentAll:
            if isSendPaused { return nil }
            return (lastProgress + timeouts.stall.nanoseconds, .stalled)
        case .sending: return (lastProgress + timeouts.firstByte.nanoseconds, .noAnswer)
        case .receiving:
            if isReceivePaused { return nil }
            return (lastProgress + timeouts.stall.nanoseconds, .stalled)
        }
    }
}

extension Duration {
    /// Up to a hundred years, so that sums with it do not overflow.
    var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return min(seconds, 3_000_000_000) * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
