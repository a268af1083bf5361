import BasketConnection
import BasketContent
import BasketModels
import BasketSupport

/// Finds a server by what a person writes of it: an address, or no more than a machine's name.
package struct ServerSearch: Sendable {
    /// What is at the place.
    package enum Finding: Sendable {
        case server(ServerEndpoint, ServerInfo)
        /// A server whose certificate no authority vouches for, and of which nothing was heard yet.
        case stranger(url: String, certificate: ContentHash)
    }

    /// Where servers listen when nobody says otherwise: for their own machine, and for others.
    private static let localPort = 8080
    private static let publicPort = 8443
    /// A machine that is there answers at once.
    private static let timeouts = TransportTimeouts(
        connect: .seconds(10), firstByte: .seconds(20), stall: .seconds(20))

    private let world: World
    private let certificate: ContentHash?
    private let unixSocket: String?
    private let allowsInsecureHTTP: Bool

    /// - Parameters:
    ///   - certificate: the SHA-256 of the one certificate that is trusted; nil for what the system trusts.
    ///   - unixSocket: through which the server is reached instead of by its name.
    package init(
        certificate: ContentHash?, unixSocket: String?, allowsInsecureHTTP: Bool, world: World
    ) {
        self.certificate = certificate
        self.unixSocket = unixSocket
        self.allowsInsecureHTTP = allowsInsecureHTTP
        self.world = world
    }

    /// - Throws: `EndpointError`, or the `ConnectionError` of the place where it would be first of all.
    package func find(_ text: String) async throws -> Finding {
        var failure: (any Error)?
        for address in Self.addresses(for: text) {
            do {
                return try await look(at: address)
            } catch {
                failure = failure ?? error
            }
        }
        throw failure ?? EndpointError.notAnAddress(text)
    }

    private func look(at address: String) async throws -> Finding {
        let isSecure = address.hasPrefix("https:")
        let endpoint = try ServerEndpoint(
            address, trust: certificate.flatMap { isSecure ? .certificate($0) : nil } ?? .system,
            unixSocket: unixSocket, allowsInsecureHTTP: allowsInsecureHTTP)
        let server = ServerConnection(
            transport: CurlTransport(endpoint), credentials: .nobody, world: world,
            retries: RetryPolicy(mostAttempts: 1), timeouts: Self.timeouts)
        do throws(ConnectionError) {
            return .server(endpoint, try await server.server())
        } catch {
            guard case .unreachable(.certificateNotTrusted(let offered?, _)) = error else {
                throw error
            }
            return .stranger(url: endpoint.url, certificate: offered)
        }
    }

    /// Where a server may be that is called so, the likeliest place first.
    static func addresses(for text: String) -> [String] {
        guard !text.contains("://") else { return [text] }
        let isLocal = ["localhost", "127.", "[::1]"].contains { text.lowercased().hasPrefix($0) }
        let end = text.lastIndex(of: "]") ?? text.startIndex
        let hasPort = text[end...].contains(":")
        guard !hasPort else {
            return isLocal ? ["http://\(text)", "https://\(text)"] : ["https://\(text)"]
        }
        return isLocal
            ? ["http://\(text):\(localPort)", "https://\(text):\(publicPort)"]
            : ["https://\(text):\(publicPort)", "https://\(text)"]
    }
}
