import BasketBlobs
import BasketStore
import BasketSupport

/// Where a server keeps all that it has: the database, the large contents, its TLS identity.
///
///     basket.db    accounts, domains, items, small contents
///     blobs/       large contents
///     drafts/      what is being received
///     tls/         a certificate that the server made itself
///     lock         held by the process that writes here
package struct DataFolder: Sendable {
    package let path: String

    package init(path: String) {
        self.path = path
    }

    package var database: String { "\(path)/basket.db" }
    package var tls: String { "\(path)/tls" }
    package var lockFile: String { "\(path)/lock" }
    /// Shared by those who copy the folder. No file of its own: whoever may read the blobs may share it,
    /// and nobody is kept out by a file that somebody else made.
    private var copyingLock: String { "\(path)/blobs" }
    /// Stands for the database while a restoration is under way, so that no server takes the folder
    /// for a new one.
    var unfinishedDatabase: String { "\(path)/basket.db.restoring" }

    /// Makes what is missing, for nobody else to look into.
    package func create(_ files: any FileSystem) throws(DataFolderError) {
        do {
            for folder in [path, tls] where !files.exists(folder) { try files.makeFolder(folder) }
        } catch {
            throw .file(error)
        }
    }

    /// Refuses a folder in which no server has kept anything yet, or that cannot be looked into.
    package func requireDatabase(_ files: any FileSystem) throws(DataFolderError) {
        do {
            _ = try files.size(database)
        } catch {
            throw error.isMissing ? .noDatabase(path) : .file(error)
        }
    }

    /// Keeps other processes from writing here, until the lock is let go. Reading, checking and
    /// copying a folder that is in use need none.
    package func lock(_ files: any FileSystem) throws(DataFolderError) -> FileLock {
        do {
            let lock = try FileLock.take(lockFile)
            guard !files.exists(unfinishedDatabase) else {
                throw DataFolderError.unfinishedRestoration(path)
            }
            return lock
        } catch let held as FileLock.Held {
            throw .inUse(path, process: held.process)
        } catch let error as FileError {
            throw .file(error)
        } catch let error as DataFolderError {
            throw error
        } catch {
            throw .file(FileError("lock", lockFile, code: 0))
        }
    }

    /// Has files stay for longer, until this is let go. Nil where that cannot be: the usual delay must do.
    func shareForCopying() -> FileLock? {
        try? FileLock.share(copyingLock)
    }

    /// Whether somebody is copying it.
    package var isBeingCopied: Bool { FileLock.isHeld(copyingLock) }

    /// Refuses a folder that has something in it, apart from the lock.
    func requireEmpty(_ files: any FileSystem) throws(DataFolderError) {
        guard files.exists(path) else { return }
        do {
            let name = try files.list(path).first { "\(path)/\($0)" != lockFile }
            if let name { throw DataFolderError.notEmpty(path, name: name) }
        } catch let error as FileError {
            throw .file(error)
        } catch let error as DataFolderError {
            throw error
        } catch {
            throw .file(FileError("list", path, code: 0))
        }
    }

    /// The large contents, as the one process that may write them sees them.
    package func openBlobs(
        world: World, reserveBytes: Int64? = nil
    ) throws(BlobError) -> FolderBlobStore {
        try FolderBlobStore(folder: path, world: world, reserveBytes: reserveBytes)
    }

    /// The large contents, beside another process that may be writing them.
    package func openBlobsForReading(world: World) throws(BlobError) -> FolderBlobStore {
        try FolderBlobStore(folder: path, world: world, reserveBytes: 0, isGuest: true)
    }
}
