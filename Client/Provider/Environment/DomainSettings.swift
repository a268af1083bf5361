import BasketConnection
import BasketContent
import FileProvider

/// What a domain's `userInfo` says about its server.
package struct DomainSettings: Sendable {
    /// The keys, all of them with texts.
    package enum Key: String, Sendable {
        /// The server's address: `https://nas.local:8443`.
        case server
        /// The SHA-256 of the server's certificate in hexadecimal digits, where it alone is trusted.
        case certificate
        /// The socket through which a server on this machine is reached.
        case unixSocket
        /// The domain's name or identifier on the server.
        case domain
        /// What the device is called.
        case device
        /// The file with the log-in, where it is not in the domain's state directory.
        case credentials
    }

    package let server: ServerEndpoint
    package let domain: String
    package let device: String
    package let credentials: String?

    package init(_ info: DomainUserInfo?) throws {
        func text(_ key: Key) -> String? {
            guard case .text(let text)? = info?.entries[key.rawValue], !text.isEmpty else {
                return nil
            }
            return text
        }
        guard let address = text(.server) else {
            throw ProviderFailure.misconfigured("The domain does not say where its server is.")
        }
        var trust = ServerEndpoint.Trust.system
        if let digits = text(.certificate) {
            // Never less trust than was asked for.
            guard let hash = ContentHash(hex: digits) else {
                throw ProviderFailure.misconfigured("The certificate's SHA-256 is none.")
            }
            trust = .certificate(hash)
        }
        guard
            let endpoint = ServerEndpoint(address, trust: trust, unixSocket: text(.unixSocket))
        else {
            throw ProviderFailure.misconfigured("“\(address)” is no address of a server.")
        }
        guard let domain = text(.domain) else {
            throw ProviderFailure.misconfigured("The domain does not say its name on the server.")
        }
        server = endpoint
        self.domain = domain
        device = text(.device) ?? "this device"
        credentials = text(.credentials)
    }
}
