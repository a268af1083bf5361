import BasketBlobs
import BasketDatabase
import BasketStore
import BasketSupport

/// Brings a backup back into an empty data folder, as a server of its own: what the copied server did
/// after the backup is lost, and no client may take the new server's future for the lost one.
///
/// The database gets its name last. Until then no server starts in the folder, so a restoration that
/// was broken off cannot be mistaken for a server without files.
package struct Restore: Sendable {
    package enum Stage: String, Sendable {
        case verifying, blobs, database, checking
    }

    private let backup: String
    private let target: DataFolder
    private let links: Bool
    private let world: World
    private var files: any FileSystem { world.files }

    /// - Parameter links: as for a backup.
    package init(
        from backup: String, into target: DataFolder, links: Bool = false, world: World
    ) {
        self.backup = backup
        self.target = target
        self.links = links
        self.world = world
    }

    /// What is wrong with the restored folder. Call it where blocking disturbs nobody.
    /// - Parameter isDeep: whether all contents are read and held against their hashes.
    package func run(
        isDeep: Bool = false, progress: (Stage) -> Void = { _ in }
    ) async throws -> [Finding] {
        let manifest = try BackupManifest.read(from: backup, files)
        try target.requireEmpty(files)
        progress(.verifying)
        let database = "\(backup)/\(manifest.database)"
        try verify(database, manifest)
        try target.create(files)
        let lock = try target.lock(files)
        defer { withExtendedLifetime(lock) {} }
        try copy(database, to: target.unfinishedDatabase)
        progress(.blobs)
        try await copyBlobs(namedBy: database, lacking: manifest.lackingBlobs)
        progress(.database)
        try await beginAnew()
        try files.rename(target.unfinishedDatabase, to: target.database)
        try files.synchronizeFolder(target.path)
        progress(.checking)
        return try await Check(target, world: world).run(isDeep: isDeep)
    }

    private func verify(_ database: String, _ manifest: BackupManifest) throws(BackupError) {
        guard files.exists(database) else {
            throw .damaged(backup, "\(manifest.database) is missing")
        }
        do {
            let (hash, size) = try FileHash.of(database, files)
            guard size == manifest.databaseSize, hash == manifest.databaseHash else {
                throw BackupError.damaged(backup, "\(manifest.database) is not what was backed up")
            }
        } catch let error as FileError {
            throw .file(error)
        } catch let error as BackupError {
            throw error
        } catch {
            throw .damaged(backup, "\(error)")
        }
    }

    private func copy(_ path: String, to target: String) throws(FileError) {
        let source = try files.open(path)
        let copy = try files.create(target)
        var offset: Int64 = 0
        while true {
            let bytes = try source.read(at: offset, count: 1 << 20)
            if bytes.isEmpty { break }
            try copy.write(bytes, at: offset)
            offset += Int64(bytes.count)
        }
        try copy.synchronize()
    }

    /// - Parameter lacking: what the backup never had; the check afterwards tells of it.
    private func copyBlobs(namedBy database: String, lacking: [BlobID]) async throws {
        let origin = try DataFolder(path: backup).openBlobsForReading(world: world)
        let copies = try target.openBlobs(world: world, reserveBytes: 0)
        let copier = BlobCopier(from: origin, to: copies, links: links)
        let known = Set(lacking)
        let missing = try await copier.copyBlobs(namedBy: database, .frozen)
            .filter { !known.contains($0) }
        guard let first = missing.first else { return }
        throw BackupError.damaged(
            backup,
            missing.count == 1
                ? "blob \(first) is missing"
                : "\(missing.count) blobs are missing, \(first) among them")
    }

    /// Brings the schema up to date, too. Everything is in the file itself afterwards, so that it can be
    /// renamed.
    private func beginAnew() async throws {
        try await renumber()
        // No other connection is left, so the log goes away.
        let connection = try Connection(path: target.unfinishedDatabase, mode: .writer)
        try connection.execute("PRAGMA journal_mode = DELETE")
        try files.open(target.unfinishedDatabase).synchronize()
    }

    private func renumber() async throws {
        let writer = InlineWriter(try Store.openConnection(target.unfinishedDatabase))
        let store = try await Store(
            path: target.unfinishedDatabase, writer: writer, world: world)
        try await store.write { try $0.beginAnew() }
        store.close()
    }
}
