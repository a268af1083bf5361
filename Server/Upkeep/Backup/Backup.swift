import BasketBlobs
import BasketContent
import BasketDatabase
import BasketModels
import BasketStore
import BasketSupport

/// Copies a data folder, while a server works in it, into a folder that can be restored from. A second
/// backup into the same folder copies only what is new.
///
/// Blobs go first, and then the database, and then the blobs that came in between. A blob that was
/// collected in between has its chunks elsewhere now, so the database is copied again: files stay for
/// an hour after their rows went while a copy is being made, and each round has less to copy than the
/// one before, so the first or second round finds them all. Nothing holds the server up.
///
/// A blob that the server itself has lost ends nothing: the rest is copied, and the manifest names what
/// is lacking. A backup that waits for the last damage to be mended is one that is not there when more
/// is lost.
package struct Backup: Sendable {
    package enum Stage: String, Sendable {
        case blobs, database, newBlobs, pruning
    }

    private let source: DataFolder
    private let folder: String
    private let links: Bool
    private let world: World
    private var files: any FileSystem { world.files }

    private static let mostRounds = 10

    /// - Parameters:
    ///   - folder: empty, missing, or with an earlier backup.
    ///   - links: gives blobs a second name instead of copying them, where the file system can. It
    ///     takes no time and no space, but what damages the one then damages the other.
    package init(of source: DataFolder, into folder: String, links: Bool = false, world: World) {
        self.source = source
        self.folder = folder
        self.links = links
        self.world = world
    }

    /// Call it where blocking disturbs nobody.
    /// - Parameter progress: told when another stage begins; throwing ends the backup.
    @discardableResult
    package func run(progress: (Stage) async throws -> Void = { _ in }) async throws
        -> BackupManifest
    {
        try source.requireDatabase(files)
        try Store.requireKnownSchema(Connection(path: source.database, mode: .reader))
        try prepare()
        // Two at once would take each other's files for leftovers.
        let lock = try DataFolder(path: folder).lock(files)
        defer { withExtendedLifetime(lock) {} }
        let sharing = source.shareForCopying()
        defer { withExtendedLifetime(sharing) {} }
        let origin = try source.openBlobsForReading(world: world)
        let copies = try FolderBlobStore(folder: folder, world: world, reserveBytes: 0)
        let copier = BlobCopier(from: origin, to: copies, links: links)
        try await progress(.blobs)
        // Those that vanish meanwhile are not needed.
        _ = try await copier.copyBlobs(namedBy: source.database, .reader)
        let (name, lacking) = try await copyUntilComplete(copier, progress)
        let manifest = try describe(name, lacking)
        try files.replace("\(folder)/\(BackupManifest.fileName)", with: manifest.encoded())
        try await progress(.pruning)
        try await prune(copies, keeping: name)
        return manifest
    }

    /// The files that are there now of which the backup lacks bytes.
    package func lackingFiles(_ manifest: BackupManifest) throws -> [LackingFile] {
        let db = try Connection(path: "\(folder)/\(manifest.database)", mode: .frozen)
        return try LackingFile.all(in: db, lacking: manifest.lackingBlobs)
    }

    /// The name of a copy of the database of which all blobs are in the backup, but for those that the
    /// server has lost.
    private func copyUntilComplete(
        _ copier: BlobCopier, _ progress: (Stage) async throws -> Void
    ) async throws -> (name: String, lacking: [BlobID]) {
        for _ in 0..<Self.mostRounds {
            try Task.checkCancellation()
            try await progress(.database)
            let name = "basket-\(world.randomUInt64().base32).db"
            try copyDatabase(to: "\(folder)/\(name)")
            try await progress(.newBlobs)
            let missing = try await copier.copyBlobs(namedBy: "\(folder)/\(name)", .frozen)
            let lost = try lost(among: missing)
            if lost.count == missing.count { return (name, lost) }
            try files.remove("\(folder)/\(name)")
        }
        throw BackupError.overtaken(rounds: Self.mostRounds)
    }

    /// Those that are not collected but gone: rows go before their files, so a row that is there after
    /// its file was missed has lost it.
    private func lost(among missing: [BlobID]) throws -> [BlobID] {
        guard !missing.isEmpty else { return [] }
        let db = try Connection(path: source.database, mode: .reader)
        return try missing.filter { try db.isNamed(blob: $0.number) }
    }

    private func prepare() throws {
        if files.exists(folder) {
            let names = try files.list(folder)
            let isOurs =
                names.isEmpty || names.contains(BackupManifest.fileName)
                || names.allSatisfy(Self.isPart)
            if !isOurs, let name = names.first(where: { !Self.isPart($0) }) {
                throw BackupError.notABackup(folder, name: name)
            }
        } else {
            try files.makeFolder(folder)
        }
    }

    /// What a backup that was broken off leaves.
    private static func isPart(_ name: String) -> Bool {
        ["blobs", "drafts", "lock", BackupManifest.fileName + ".new"].contains(name)
            || isDatabase(name)
    }

    private static func isDatabase(_ name: String) -> Bool {
        name.hasPrefix("basket-") && name.contains(".db")
    }

    private func copyDatabase(to path: String) throws {
        let db = try Connection(path: source.database, mode: .reader)
        try db.copy(to: path)
        try files.open(path).synchronize()
        try files.synchronizeFolder(folder)
    }

    private func describe(_ name: String, _ lacking: [BlobID]) throws -> BackupManifest {
        let path = "\(folder)/\(name)"
        let (hash, size) = try FileHash.of(path, files)
        let db = try Connection(path: path, mode: .frozen)
        let blobs = try db.first("SELECT count(*), coalesce(sum(size), 0) FROM blob") {
            row throws(SQLiteError) in (count: row.integer(0), bytes: row.integer(1))
        }
        var lost: Int64 = 0
        for blob in lacking {
            lost += try db.value("SELECT size FROM blob WHERE id = ?", blob.number) ?? 0
        }
        let totals = try db.totals()
        return BackupManifest(
            format: BackupManifest.currentFormat, schema: try db.schemaVersion(),
            created: world.now(), database: name, databaseSize: size, databaseHash: hash,
            domains: totals.domains, items: totals.items,
            blobs: (blobs?.count ?? 0) - Int64(lacking.count),
            blobBytes: (blobs?.bytes ?? 0) - lost,
            lacking: lacking)
    }

    /// What only earlier backups needed. The new one is complete, whatever happens here.
    private func prune(_ copies: FolderBlobStore, keeping name: String) async throws {
        for other in try files.list(folder) where Self.isDatabase(other) && other != name {
            try files.remove("\(folder)/\(other)")
        }
        let db = try Connection(path: "\(folder)/\(name)", mode: .frozen)
        var last: BlobID?
        while true {
            try Task.checkCancellation()
            let page = try await copies.list(after: last, limit: 1000)
            guard let end = page.last else { return }
            last = end
            for id in page where try !db.isNamed(blob: id.number) { try await copies.remove(id) }
        }
    }
}
