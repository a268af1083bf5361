import BasketContent
import COpenSSL

/// What decides whether a certificate is the server's, at each handshake, before anything is sent.
///
/// Unchecked: OpenSSL writes into it on the engine's thread only, and nobody else reads it.
final class CertificateCheck: @unchecked Sendable {
    let trust: UnsafeMutablePointer<basket_trust>
    private let isPinned: Bool

    init(_ policy: ServerEndpoint.Trust) {
        trust = .allocate(capacity: 1)
        trust.initialize(to: basket_trust())
        switch policy {
        case .system:
            isPinned = false
            trust.pointee.by_authority = 1
        case .certificate(let hash):
            isPinned = true
            withUnsafeMutableBytes(of: &trust.pointee.wanted) { $0.copyBytes(from: hash.bytes) }
        }
    }

    deinit {
        trust.deallocate()
    }

    /// Has the handshakes of an `SSL_CTX` judged; called back by curl, hence the pointers.
    static func install(in tls: UnsafeMutableRawPointer, _ trust: UnsafeMutableRawPointer) {
        basket_trust_install(tls, trust.assumingMemoryBound(to: basket_trust.self))
    }

    /// Why the last handshake was refused.
    func refusal(_ reason: String) -> TransportError {
        let offered =
            trust.pointee.was_offered == 1
            ? withUnsafeBytes(of: trust.pointee.offered) { ContentHash(bytes: Array($0)) } : nil
        return isPinned
            ? .certificateNotPinned(offered: offered)
            : .certificateNotTrusted(offered: offered, reason: reason)
    }
}
