import BasketConnection
import BasketContent
import BasketModels
import BasketSupport
import FileProvider

/// Makes a domain of a server known to this device: logs in, finds the domain or makes it, and says what its record has
/// to hold, so that the extension finds it again.
package struct DomainJoining: Sendable {
    /// A domain as it can be added here.
    package struct Joined: Sendable {
        package let identifier: String
        /// On the server.
        package let name: String
        package let info: [String: String]
        package let hasTrash: Bool
        package let canSearch: Bool
        /// Whether it was made just now.
        package let isNew: Bool

        /// Whether the server means it by that word.
        package func isCalled(_ word: String) -> Bool { word == name || word == identifier }
    }

    private static let noSuchDomain = "no_such_domain"

    private let endpoint: ServerEndpoint
    private let server: ServerConnection
    private let features: [String]
    private let isInsecure: Bool
    private let keyring: any Keyring
    private let world: World

    /// - Parameters:
    ///   - server: what it says of itself.
    ///   - isInsecure: whether plain HTTP may leave this machine.
    package init(
        _ endpoint: ServerEndpoint, server: ServerInfo, isInsecure: Bool, keyring: any Keyring,
        world: World
    ) {
        self.keyring = keyring
        self.endpoint = endpoint
        self.isInsecure = isInsecure
        self.world = world
        features = server.features
        self.server = ServerConnection(
            transport: CurlTransport(endpoint), credentials: .nobody, world: world)
    }

    /// - Parameter device: what this one is called in lists and in the names of conflict copies.
    package func logIn(
        account: String, password: String, device: String
    ) async throws(ConnectionError) -> StoredCredentials {
        let session = try await server.logIn(
            LogInRequest(account: account, password: password, device: device))
        return StoredCredentials(
            token: session.token, device: session.device.description, server: endpoint.url)
    }

    /// Gives back a log-in that is not needed after all.
    package func logOut(_ credentials: StoredCredentials) async {
        try? await server.with(.token(credentials.token)).logOut()
    }

    /// Finds the domain by its name or its identifier, or makes it.
    /// - Parameters:
    ///   - mayMake: false where it was there once: then another one of that name would not be it.
    ///   - file: in which the domain's log-in is kept.
    package func join(
        _ name: String, as credentials: StoredCredentials, device: String, mayMake: Bool,
        keptIn file: String
    ) async throws(ConnectionError) -> Joined {
        let server = server.with(.token(credentials.token))
        var isNew = false
        let domain: DomainInfo
        do throws(ConnectionError) {
            domain = try await server.domain(name)
        } catch {
            guard error.code == Self.noSuchDomain, mayMake else { throw error }
            domain = try await server.createDomain(CreateDomainRequest(name: name))
            isNew = true
        }
        var info = [
            DomainSettings.Key.server.rawValue: endpoint.url,
            DomainSettings.Key.domain.rawValue: domain.id,
            DomainSettings.Key.device.rawValue: device,
            DomainSettings.Key.credentials.rawValue: file,
            DomainUserInfo.caseRuleKey: domain.caseRule.rawValue,
        ]
        if case .certificate(let hash) = endpoint.trust {
            info[DomainSettings.Key.certificate.rawValue] = hash.hex
        }
        info[DomainSettings.Key.unixSocket.rawValue] = endpoint.unixSocket
        if isInsecure { info[DomainSettings.Key.insecureHTTP.rawValue] = "yes" }
        return Joined(
            identifier: domain.id, name: domain.name, info: info, hasTrash: domain.trash,
            canSearch: features.contains("search"), isNew: isNew)
    }

    /// Keeps a log-in where the domain's extension looks for it.
    /// - Parameter mayUseKeyring: else it is in the file in any case.
    /// - Returns: what was kept there before.
    package func keep(
        _ credentials: StoredCredentials, of account: String, in file: String,
        mayUseKeyring: Bool = true
    ) async throws -> ReplacedCredentials {
        try world.files.makeFolder(LinuxFileSystem.folder(of: file))
        let place = endpoint.url.split(separator: "/").last ?? ""
        return try await store(file).replace(
            with: credentials, label: "Basket: \(account) at \(place)",
            mayUseKeyring: mayUseKeyring)
    }

    /// What was kept is used: nobody needs the log-in any more that there was.
    package func settle(_ replaced: ReplacedCredentials, in file: String) async {
        if let before = replaced.credentials { await logOut(before) }
        await store(file).settle(replaced)
    }

    /// What was kept is not needed after all: what was there before is, if anything was.
    package func putBack(_ replaced: ReplacedCredentials, in file: String) async throws {
        try await store(file).putBack(replaced)
    }

    private func store(_ file: String) -> FileCredentialStore {
        FileCredentialStore(path: file, server: endpoint.url, keyring: keyring, world: world)
    }
}
