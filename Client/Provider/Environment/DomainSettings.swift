import BasketConnection
import BasketContent
import BasketSupport
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
        /// `yes` to speak plain HTTP to other machines: everybody on the way reads along, the log-in too.
        case insecureHTTP = "insecure-http"
        /// Bytes a second that may go to the server, and come from there: `512KiB`, `10MiB`. Domains of one
        /// server with the same limits share them.
        case uploadLimit = "upload-limit"
        case downloadLimit = "download-limit"
    }

    /// With less, not even what is asked for gets through in time.
    private static let leastBandwidth = ByteCount(bytes: 1 << 10)

    package let server: ServerEndpoint
    package let domain: String
    package let device: String
    package let credentials: String?
    package let bandwidth: Bandwidth

    package init(_ info: DomainUserInfo?) throws {
        func text(_ key: Key) -> String? {
            guard case .text(let text)? = info?.entries[key.rawValue], !text.isEmpty else {
                return nil
            }
            return text
        }
        func limit(_ key: Key) throws -> Int64? {
            guard let limit = try Self.value(of: key, text(key), as: ByteCount.self) else {
                return nil
            }
            guard limit >= Self.leastBandwidth else {
                throw ProviderFailure.misconfigured(
                    "\(key.rawValue): at least \(Self.leastBandwidth.settingText) a second have to pass."
                )
            }
            return limit.bytes
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
        let isInsecure = try Self.value(of: .insecureHTTP, text(.insecureHTTP), as: Bool.self)
        do throws(EndpointError) {
            server = try ServerEndpoint(
                address, trust: trust, unixSocket: text(.unixSocket),
                allowsInsecureHTTP: isInsecure ?? false)
        } catch {
            throw ProviderFailure.misconfigured(error.message)
        }
        guard let domain = text(.domain) else {
            throw ProviderFailure.misconfigured("The domain does not say its name on the server.")
        }
        self.domain = domain
        device = text(.device) ?? "this device"
        credentials = text(.credentials)
        bandwidth = Bandwidth(
            receiving: try limit(.downloadLimit), sending: try limit(.uploadLimit))
    }

    /// Nil for what was not set. What was set, and cannot be read, is not passed over.
    private static func value<Value: SettingValue>(
        of key: Key, _ text: String?, as type: Value.Type
    ) throws -> Value? {
        guard let text else { return nil }
        do {
            return try Value.read(text)
        } catch {
            throw ProviderFailure.misconfigured(
                "\(key.rawValue): “\(text)” is not \(error.expected).")
        }
    }
}
