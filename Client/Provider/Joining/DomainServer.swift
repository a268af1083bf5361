import BasketConnection
import BasketModels
import BasketSupport
import FileProvider

/// The server of a domain, for whoever asks it something beside the domain's extension: as the same device, with the
/// log-in that the extension keeps.
package struct DomainServer: Sendable {
    /// Why the server cannot even be asked.
    package enum Failure: Error, Equatable {
        /// The domain does not say where its server is; what is wrong, in words.
        case misconfigured(String)
        /// Nobody is logged in at that address.
        case loggedOut(address: String)
        /// There may be a log-in, but it cannot be read; why, in words.
        case unreadable(String)
        /// There may be a log-in, in a keyring that nobody can look into now.
        case hidden(KeyringTrouble)
    }

    /// A person waits: what does not answer soon is said to be away.
    private static let patience = RetryPolicy(mostAttempts: 3, time: .seconds(20))
    private static let timeouts = TransportTimeouts(
        connect: .seconds(10), firstByte: .seconds(60), stall: .seconds(30))

    package let address: String
    /// What the server calls this device, where that was noted.
    package let device: DeviceID?
    let domain: String
    let connection: ServerConnection
    private let store: FileCredentialStore

    /// - Parameter info: what the domain's record says of its server.
    package init(
        info: [String: String]?, keyring: any Keyring, world: World
    ) async throws(Failure) {
        let settings = try Self.settings(info)
        address = settings.server.url
        domain = settings.domain
        // Whoever connects it says where; without that, only the extension knows its own directory.
        guard let file = settings.credentials else { throw .loggedOut(address: address) }
        store = FileCredentialStore(path: file, server: address, keyring: keyring, world: world)
        let credentials: StoredCredentials?
        do {
            credentials = try await store.credentials()
        } catch let trouble as KeyringTrouble {
            throw .hidden(trouble)
        } catch {
            throw .unreadable("\(file): \(error).")
        }
        guard let credentials else { throw .loggedOut(address: address) }
        device = credentials.device.flatMap { DeviceID($0) }
        connection = ServerConnection(
            transport: CurlTransport(settings.server), credentials: .token(credentials.token),
            world: world, retries: Self.patience, timeouts: Self.timeouts,
            compresses: !settings.server.isLocal)
    }

    private static func settings(_ info: [String: String]?) throws(Failure) -> DomainSettings {
        do {
            return try DomainSettings(
                DomainUserInfo(entries: (info ?? [:]).mapValues { .text($0) }))
        } catch ProviderFailure.misconfigured(let what) {
            throw .misconfigured(what)
        } catch {
            throw .misconfigured("\(error).")
        }
    }

    /// Gives the log-in back: nobody needs it any more. Where the server cannot be reached, it keeps knowing the device,
    /// until somebody revokes it.
    /// - Returns: false where the server did not hear of it.
    @discardableResult
    package func logOut() async -> Bool {
        // What cannot be removed is worth nothing once the server has heard of it.
        try? await store.forget()
        do {
            try await connection.logOut()
            return true
        } catch {
            return Reaction(error) == .logIn
        }
    }

    /// Forgets a log-in that nobody can look into, and that the server therefore cannot be told of.
    /// - Parameter info: what the domain's record says of its server.
    package static func forgetLogIn(
        info: [String: String]?, keyring: any Keyring, world: World
    ) async {
        guard let settings = try? settings(info), let file = settings.credentials else { return }
        // What is left is in the keyring, of which whoever calls this has just heard.
        try? await FileCredentialStore(
            path: file, server: settings.server.url, keyring: keyring, world: world
        ).forget()
    }

    // MARK: What files held before

    /// The newest first.
    package func versions(of item: String) async throws(ConnectionError) -> [VersionInfo] {
        try await connection.versions(of: item, in: domain)
    }

    /// - Parameter base: the present one that was seen; where there is another by now, nothing is done.
    package func restore(
        _ version: Version, of item: String, base: Version?
    ) async throws(ConnectionError) -> ItemInfo {
        try await connection.restoreVersion(version, of: item, in: domain, base: base).item
    }

    // MARK: What is gone

    package func trashed() async throws(ConnectionError) -> [ItemInfo] {
        var items: [ItemInfo] = []
        var cursor: String?
        repeat {
            let page = try await connection.children(
                of: DomainTree.trash, in: domain, cursor: cursor)
            items += page.items
            cursor = page.next
        } while cursor != nil
        return items
    }

    /// Out of the trash, to where it was.
    package func restore(_ item: String) async throws(ConnectionError) -> ItemInfo {
        try await connection.restore(item, in: domain).item
    }

    package func emptyTrash() async throws(ConnectionError) {
        try await connection.delete(DomainTree.trash, in: domain, recursive: true)
    }

    /// Brings back what was deleted since then.
    /// - Parameters:
    ///   - device: only what this one has deleted.
    ///   - isAll: whether files come back, under other names, whose own names others have by now.
    package func undelete(
        since moment: Timestamp, by device: DeviceID?, isAll: Bool = false
    ) async throws(ConnectionError) -> UndeleteAnswer {
        try await connection.undelete(
            in: domain,
            UndeleteRequest(
                since: moment, device: device, ifExists: isAll ? .rename : .skip))
    }

    // MARK: All of it

    /// Where an item lies, by asking for each folder above it; nil where it is gone.
    package func path(of item: String) async throws(ConnectionError) -> String? {
        var tree = DomainTree()
        var current = item
        while !tree.knows(current) {
            let info: ItemInfo
            do throws(ConnectionError) {
                info = try await connection.item(current, in: domain)
            } catch {
                guard error.code == "no_such_item" else { throw error }
                return nil
            }
            guard info.deleted == nil, let parent = info.parent else { break }
            tree.add(info)
            current = parent
        }
        return tree.path(of: item)
    }

    /// Reads everything that there is in the domain, folders before what lies in them.
    /// - Parameter consumer: gets each item, with the tree as far as it has been read.
    package func survey(
        _ consumer: (ItemInfo, DomainTree) -> Void
    ) async throws(ConnectionError) {
        var tree = DomainTree()
        _ = try await connection.allChanges(in: domain, since: nil) { items in
            for item in items where item.deleted == nil {
                if item.kind == .folder { tree.add(item) }
                consumer(item, tree)
            }
        }
    }
}
