import BasketConnection
import BasketContent
import BasketModels
import BasketProvider
import BasketSupport
import FileProviderDaemon

/// Which server somebody wants to connect to, and whether it is that one.
struct WantedServer {
    let allowsInsecureHTTP: Bool
    private let address: String
    private let certificate: ContentHash?
    private let unixSocket: String?
    private let reach: DaemonReach

    /// What the command line leaves open, a domain that is known already says; else the person is asked about what is nearby.
    init(
        _ invocation: Invocation, _ name: String, _ reach: DaemonReach, _ world: World
    ) async throws {
        self.reach = reach
        let isKnown = invocation.value("server") == nil
        // Only a daemon knows what is connected already.
        if isKnown { try await reach.requireDaemon() }
        let known = try? await reach.domains().first { $0.name == name }?.info
        if let named = invocation.value("server") ?? known?[DomainSettings.Key.server.rawValue] {
            address = named
        } else if invocation.value("unix-socket") != nil {
            // Whoever listens there is meant, by whatever name.
            address = "http://localhost"
        } else {
            address = try await NearbyServers.forWhoNamesNone(world).chosen()
        }
        let digits =
            invocation.value("certificate")
            ?? (isKnown ? known?[DomainSettings.Key.certificate.rawValue] : nil)
        certificate = try digits.map { text in
            guard let hash = ContentHash(hex: text.replacing(":", with: "").lowercased()) else {
                throw CommandFailure(
                    "bad_certificate",
                    "‘\(text)’ is no SHA-256.\n‘basket-server tls’ on the server shows it.",
                    exitCode: .usage)
            }
            return hash
        }
        unixSocket =
            invocation.value("unix-socket")
            ?? (isKnown ? known?[DomainSettings.Key.unixSocket.rawValue] : nil)
        allowsInsecureHTTP =
            invocation.has("insecure-http")
            || isKnown && known?[DomainSettings.Key.insecureHTTP.rawValue] == "yes"
    }

    /// Where it is, and what it says of itself. A stranger is trusted only when somebody says so.
    func find(_ console: Console, _ world: World) async throws -> (ServerEndpoint, ServerInfo) {
        switch try await look(for: address, trusting: certificate, world) {
        case .server(let endpoint, let server): return (endpoint, server)
        case .stranger(let url, let certificate):
            if let known = try await pin(of: url) {
                guard known == certificate else { throw Self.impostor(url, certificate) }
            } else {
                try introduce(url, certificate)
            }
            guard
                case .server(let endpoint, let server) = try await look(
                    for: url, trusting: certificate, world)
            else { throw CommandFailure("untrusted", "\(url) has shown two certificates.") }
            return (endpoint, server)
        }
    }

    private func look(
        for address: String, trusting certificate: ContentHash?, _ world: World
    ) async throws -> ServerSearch.Finding {
        do {
            return try await ServerSearch(
                certificate: certificate, unixSocket: unixSocket,
                allowsInsecureHTTP: allowsInsecureHTTP, world: world
            ).find(address)
        } catch let error as EndpointError {
            throw CommandFailure("bad_address", error.message, exitCode: .usage)
        } catch let error as ConnectionError {
            throw CommandFailure(error, at: address)
        }
    }

    /// The certificate that somebody has agreed to for a domain of that server before.
    private func pin(of url: String) async throws -> ContentHash? {
        try await reach.requireDaemon()
        let domains = try await reach.domains().compactMap(\.info)
        return domains.lazy
            .filter { $0[DomainSettings.Key.server.rawValue] == url }
            .compactMap {
                $0[DomainSettings.Key.certificate.rawValue].flatMap(ContentHash.init(hex:))
            }
            .first
    }

    private static func impostor(_ url: String, _ certificate: ContentHash) -> CommandFailure {
        CommandFailure(
            "untrusted",
            """
            \(url) shows another certificate than before, with the SHA-256 fingerprint \(certificate.hex): nothing was sent to it.
            If ‘basket-server tls’ says the same on the server, it was made anew: add --certificate \(certificate.hex)
            """, exitCode: .forbidden)
    }

    /// As ssh does it: the fingerprint is shown, and somebody says yes.
    private func introduce(_ url: String, _ certificate: ContentHash) throws {
        let question = """
            No authority vouches for \(url). Its certificate has the SHA-256 fingerprint

                \(certificate.hex)

            ‘basket-server tls’ on the server says the same, if it is that server.
            Trust this certificate from now on? (yes/no) 
            """
        let answer = Terminal()?.ask(question)
        if answer?.lowercased() == "yes" { return }
        throw CommandFailure(
            "untrusted",
            answer == nil
                ? "no authority vouches for \(url).\nIf ‘basket-server tls’ says the same on the server, add --certificate \(certificate.hex)"
                : "\(url) is not trusted, and nothing was sent to it.",
            exitCode: .forbidden)
    }
}
