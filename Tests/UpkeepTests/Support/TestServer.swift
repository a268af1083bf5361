import BasketBlobs
import BasketContent
import BasketDatabase
import BasketModels
import BasketStore
import BasketSupport
import BasketUpkeep
import Synchronization

/// A data folder with one account, one domain, and what a server does with them, but for HTTP.
final class TestServer: Sendable {
    let folder: DataFolder
    let clock: TestClock
    let world: World
    let store: Store
    let blobs: FolderBlobStore
    let identity: Identity
    private let home: TestHome

    /// Hashed once: that takes long on purpose.
    private static let password = Result {
        try PasswordHash.make(password: "password", salt: [UInt8](repeating: 7, count: 16))
    }

    /// - Parameters:
    ///   - mishap: what lets the server's disk fail.
    ///   - disk: how much fits on it.
    ///   - reserve: how many of them shall stay free.
    convenience init(
        seed: UInt64 = 1, quota: Int64? = nil, in home: TestHome? = nil,
        mishap: Mishap = Mishap(), disk: SmallDisk = SmallDisk(), reserve: Int64 = 0
    ) async throws {
        try await self.init(
            seed: seed, quota: quota, in: home ?? TestHome(),
            files: MishapFileSystem(mishap, disk: disk), reserve: reserve
        ) { MishapWriter(InlineWriter(try Store.openConnection($0)), mishap) }
    }

    /// - Parameter makeWriter: for the database at the path.
    init(
        seed: UInt64 = 1, quota: Int64? = nil, in home: TestHome, files: any FileSystem,
        reserve: Int64 = 0,
        makeWriter: (String) throws -> any DatabaseWriter
    ) async throws {
        self.home = home
        clock = TestClock(seed: seed)
        world = clock.world(files: files)
        folder = DataFolder(path: home.path + "/data")
        try folder.create(LinuxFileSystem())
        let isNew = !LinuxFileSystem().exists(folder.database)
        store = try await Store(
            path: folder.database, writer: try makeWriter(folder.database), world: world)
        blobs = try folder.openBlobs(world: world, reserveBytes: reserve)
        let root = Identity(
            account: 0, accountName: "", role: .administrator, device: nil, deviceName: "")
        if isNew {
            let password = try Self.password.get()
            try await store.write(as: root) {
                try $0.createAccount(
                    "ann", displayName: nil, role: .administrator, quota: nil, password: password)
            }
        }
        let account = try store.read { try $0.account(named: "ann") }
        identity = Identity(
            account: account.number, accountName: "ann", role: .administrator, device: nil,
            deviceName: "")
        if isNew {
            try await store.write(as: identity) {
                _ = try $0.createDomain("Work", caseRule: .portable, hasTrash: true, quota: quota)
            }
        }
    }

    func path(_ name: String) -> String { home.path + "/" + name }

    func domain(_ name: String = "Work") throws -> Domain {
        try store.read { try $0.domain(name, for: identity) }
    }

    func write<Result: Sendable>(
        _ body: @escaping @Sendable (Transaction, Domain) throws -> Result
    ) async throws -> Result {
        try await store.write(as: identity) { [identity] transaction in
            try body(transaction, transaction.db.domain("Work", for: identity))
        }
    }

    // MARK: Contents

    /// Small ones lie in the database, others are cut into chunks of a kilobyte, of which only those
    /// that the domain lacks are written: into one blob, or each into one of its own.
    func stage(_ bytes: [UInt8], isDelta: Bool = false) async throws -> StagedContent {
        if bytes.count <= 512 { return StagedContent(inline: bytes) }
        let domain = try domain()
        var chunks: [StagedChunk] = []
        var places: [ContentHash: Int64] = [:]
        var drafts: [any BlobDraft] = []
        let id = BlobID.drawn(in: world)
        let limit = (clock.now - .seconds(24 * 3600)).nanoseconds
        for start in stride(from: 0, to: bytes.count, by: 1024) {
            let piece = Array(bytes[start..<min(start + 1024, bytes.count)])
            let hash = ContentHash(of: piece)
            let isKnown = try store.read {
                try $0.hasChunk(hash, in: domain, deadSince: limit)
            }
            if isKnown {
                chunks.append(StagedChunk(hash: hash, length: piece.count))
            } else if isDelta {
                try await send(piece)
                chunks.append(StagedChunk(hash: hash, length: piece.count))
            } else {
                if drafts.isEmpty {
                    drafts.append(try await blobs.makeDraft(id, announcedSize: nil))
                }
                if places[hash] == nil { places[hash] = try await drafts[0].append(piece) }
                chunks.append(
                    StagedChunk(
                        hash: hash, length: piece.count,
                        place: BlobPlace(
                            blob: Int64(bitPattern: id.rawValue), position: places[hash] ?? 0)))
            }
        }
        var blob: StagedBlob?
        if let draft = drafts.first {
            blob = StagedBlob(number: Int64(bitPattern: id.rawValue), size: await draft.size)
            try await draft.seal()
        }
        return StagedContent(
            hash: ContentHash(of: bytes), size: Int64(bytes.count), chunks: chunks, blob: blob,
            proof: .read)
    }

    /// Uploads a chunk by itself.
    func send(_ bytes: [UInt8]) async throws {
        let draft = try await blobs.makeDraft(.drawn(in: world), announcedSize: nil)
        try await draft.append(bytes)
        let id = try await draft.seal()
        let chunk = StagedChunk(
            hash: ContentHash(of: bytes), length: bytes.count,
            place: BlobPlace(blob: Int64(bitPattern: id.rawValue), position: 0))
        try await write { transaction, domain in
            try transaction.stage(chunk, blobSize: Int64(bytes.count), in: domain)
        }
    }

    @discardableResult
    func put(
        _ name: String, _ bytes: [UInt8], in parent: ItemID? = nil, isDelta: Bool = false
    ) async throws -> ItemID {
        let content = try await stage(bytes, isDelta: isDelta)
        return try await write { transaction, domain in
            try transaction.create(
                ItemCreation(
                    parent: parent ?? domain.root, name: name, kind: .file, content: content,
                    ifExists: .rename), in: domain)
        }
    }

    func replace(_ id: ItemID, _ bytes: [UInt8], isDelta: Bool = false) async throws {
        let content = try await stage(bytes, isDelta: isDelta)
        _ = try await write { transaction, domain in
            try transaction.replaceContent(
                of: id, with: content, condition: .any, in: domain)
        }
    }

    func makeFolder(_ name: String, in parent: ItemID? = nil) async throws -> ItemID {
        try await write { transaction, domain in
            try transaction.create(
                ItemCreation(
                    parent: parent ?? domain.root, name: name, kind: .folder, ifExists: .rename),
                in: domain)
        }
    }

    func delete(_ id: ItemID) async throws {
        try await write { transaction, domain in
            try transaction.delete(id.description, base: nil, recursive: true, in: domain)
        }
    }

    func contents(of id: ItemID) async throws -> [UInt8] {
        let domain = try domain()
        let item = try store.read { try $0.item(id, in: domain) }
        guard let content = item.content else { return [] }
        return try await bytes(of: content)
    }

    func bytes(of content: Int64) async throws -> [UInt8] {
        switch try store.read({ try $0.storedContent(content) }) {
        case .inline(let bytes): return bytes
        case .extents(let extents):
            var bytes: [UInt8] = []
            for extent in extents {
                let blob = try blobs.open(
                    BlobID(rawValue: UInt64(bitPattern: extent.place.blob)))
                bytes += try blob.read(at: extent.place.position, count: Int(extent.length))
            }
            return bytes
        }
    }

    // MARK: Upkeep

    func check(isDeep: Bool = true) async throws -> [Finding] {
        try await Check(database: folder.database, blobs: blobs, world: world).run(isDeep: isDeep)
    }

    func collect(
        _ policy: CollectionPolicy = .test, isBeingCopied: Bool = false
    ) async throws -> CollectionSummary {
        clock.advance(.seconds(1))
        return try await Collector(
            store: store, blobs: blobs, policy: policy, isBeingCopied: { isBeingCopied }
        ).run()
    }

    /// Changes rows behind the store's back.
    func damage(_ sql: String) async throws {
        try await store.write { transaction in
            try transaction.db.execute("PRAGMA defer_foreign_keys = ON")
            try transaction.db.execute(sql)
        }
    }

    func count(_ what: String) throws -> Int64 {
        try store.read { try $0.value("SELECT count(*) FROM \(what)") ?? 0 }
    }

    /// The blobs' files.
    func blobFiles() async throws -> [BlobID] {
        try await blobs.list(after: nil, limit: .max)
    }

    func blobPath(_ id: BlobID) -> String {
        "\(folder.path)/blobs/\(id.text.prefix(2))/\(id.text)"
    }
}

extension CollectionPolicy {
    /// As the usual one, for blobs of a few kilobytes.
    static let test = CollectionPolicy(leastDeadBytes: 1024, largestBlob: 64 << 10, stepSize: 7)
    /// Nothing is waited for.
    static let atOnce = CollectionPolicy(
        retention: RetentionPolicy(
            allVersions: .zero, dailyVersions: .zero, monthlyVersions: .zero,
            deletedContents: .zero, tombstones: .zero),
        chunkGrace: .zero, leftoverAge: .zero, removalDelay: .zero, leastDeadBytes: 1024,
        largestBlob: 64 << 10, stepSize: 7)
}

/// Bytes that are the same for the same seed.
func bytes(_ count: Int, seed: UInt64) -> [UInt8] {
    var generator = SeededGenerator(seed: seed)
    return generator.bytes(count)
}
