import BasketAPI
import BasketBlobs
import BasketConnection
import BasketContent
import BasketDatabase
import BasketModels
import BasketProvider
import BasketStore
import BasketSupport
import BasketUpkeep
import FileProvider
import Foundation
import Synchronization

/// Basket's server, but for HTTP's bytes: all of its rules, its database, its blobs, on the virtual clock.
final class ServerStorage: Storage {
    private let service: Service
    private let store: Store
    private let blobs: FolderBlobStore
    private let folder: DataFolder
    private let world: World
    private let identity: Identity
    /// Those who are not Ann, by the devices that are theirs.
    private let guests = Mutex<[String: Identity]>([:])

    init(folder path: String, world: World) async throws {
        self.world = world
        folder = DataFolder(path: path + "/server")
        try folder.create(world.files)
        store = try await Store(
            path: folder.database, writer: InlineWriter(try Store.openConnection(folder.database)),
            world: world)
        blobs = try folder.openBlobs(world: world, reserveBytes: 0)
        service = try Service(
            store: store, blobs: blobs, settings: ServiceSettings(), passwordCost: .insecure)
        let hash = try await service.authenticator.hash(password: "password")
        try await store.write {
            try $0.createAccount(
                "ann", displayName: nil, role: .administrator, quota: nil, password: hash)
        }
        let account = try store.read { try $0.account(named: "ann") }
        identity = Identity(
            account: account.number, accountName: "ann", role: .administrator, device: nil,
            deviceName: "")
        try await store.write(as: identity) {
            _ = try $0.createDomain("Work", caseRule: .posix, hasTrash: true, quota: nil)
        }
    }

    func makeExtension(
        for device: String, domain: NSFileProviderDomain, network: Network, world: World
    ) async throws -> any NSFileProviderReplicatedExtension & Sendable {
        let token = try await token(for: device)
        let transport = ServiceTransport(service, network: network, world: self.world)
        let environment = ProviderEnvironment(
            world: world, domain: "Work", deviceName: device,
            credentials: FixedCredentials(token: token), events: EventRegistry(), server: device
        ) { token in
            ServerConnection(transport: transport, credentials: .token(token), world: world)
        }
        return BasketExtension(domain: domain, environment: environment)
    }

    private func token(for device: String) async throws -> String {
        let identity = guests.withLock { $0[device] } ?? identity
        return try await service.authenticator.openSession(
            for: identity, device: device, lifetime: nil, address: "127.0.0.1"
        ).token
    }

    /// The server's API, as another program of a device's person sees it.
    func connection(for device: String, _ network: Network) async throws -> ServerConnection {
        ServerConnection(
            transport: ServiceTransport(service, network: network, world: world),
            credentials: .token(try await token(for: device)), world: world)
    }

    /// Somebody has a part in the domain from now on, on a device that is called like them.
    func admit(_ name: String, as role: DomainRole) async throws {
        let isNew = guests.withLock { $0[name] == nil }
        if isNew {
            let hash = try await service.authenticator.hash(password: "password")
            try await store.write {
                try $0.createAccount(
                    name, displayName: nil, role: .member, quota: nil, password: hash)
            }
            let account = try store.read { try $0.account(named: name) }
            let identity = Identity(
                account: account.number, accountName: name, role: .member, device: nil,
                deviceName: "")
            guests.withLock { $0[name] = identity }
        }
        let owner = identity
        try await store.write(as: owner) { transaction in
            let domain = try transaction.db.domain("Work", for: owner)
            try transaction.setMember(name, role: role, of: domain)
        }
    }

    func tree() throws -> [String: String] {
        try store.read { db in
            let domain = try db.domain("Work", for: identity)
            var items: [ItemID: (parent: ItemID?, name: String, text: String)] = [:]
            // The simulation's files are small enough to lie in the database.
            try db.each(
                """
                SELECT item.id, item.parent, item.name, item.kind, content.data, item.target
                FROM item LEFT JOIN content ON content.id = item.content
                WHERE item.domain = ? AND item.deleted IS NULL
                """, domain.id
            ) { row throws(SQLiteError) in
                let kind: ItemKind = try row[3]
                let data: [UInt8]? = try row[4]
                let target: String? = try row[5]
                let text =
                    switch kind {
                    case .folder: "/"
                    case .symlink: "→ " + (target ?? "")
                    default: String(decoding: data ?? [], as: UTF8.self)
                    }
                items[try row[0]] = (try row[1], try row[2], text)
                return true
            }
            var paths: [String: String] = [:]
            for (id, item) in items where id != domain.root && id != domain.trash {
                var path = item.name
                var (top, parent) = (id, item.parent)
                while let folder = parent, folder != domain.root, folder != domain.trash,
                    let above = items[folder]
                {
                    path = above.name + "/" + path
                    (top, parent) = (folder, above.parent)
                }
                // In the trash, several may have one name.
                paths[parent == domain.trash ? "trash:\(top) \(path)" : path] = item.text
            }
            return paths
        }
    }

    func texts() throws -> Set<String> {
        try store.read { db in
            let versions: [[UInt8]?] = try db.all(
                "SELECT content.data FROM version JOIN content ON content.id = version.content"
            ) { row throws(SQLiteError) in try row[0] }
            return try Set(tree().values).union(
                versions.map { String(decoding: $0 ?? [], as: UTF8.self) })
        }
    }

    func descents() throws -> [(text: String, base: String)] {
        try store.read { db in
            let pairs: [([UInt8]?, [UInt8]?)] = try db.all(
                """
                WITH written (item, id, base, content) AS (
                    SELECT item, id, base, content FROM version UNION ALL
                    SELECT id, content_version, base, content FROM item
                )
                SELECT content.data, earlier.data
                FROM written
                JOIN written AS before ON before.item = written.item AND before.id = written.base
                JOIN content ON content.id = written.content
                JOIN content AS earlier ON earlier.id = before.content
                """
            ) { row throws(SQLiteError) in (try row[0], try row[1]) }
            return pairs.map { text, base in
                (
                    String(decoding: text ?? [], as: UTF8.self),
                    String(decoding: base ?? [], as: UTF8.self)
                )
            }
        }
    }

    func rank(of version: Data) -> Int64? {
        Version(String(decoding: version, as: UTF8.self))?.rawValue
    }

    func complaints() async throws -> [String] {
        try await Check(database: folder.database, blobs: blobs, world: world)
            .run(isDeep: true).map(\.message)
    }

    func close() async {
        store.hub.close()
        store.close()
    }
}
