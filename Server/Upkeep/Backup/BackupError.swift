import BasketBlobs
import BasketSupport

/// Why a backup could not be made or brought back.
package enum BackupError: Error, Equatable {
    /// The folder holds no complete backup.
    case noBackup(String)
    case damaged(String, String)
    case fromTheFuture(String, format: Int)
    /// The folder has something else in it.
    case notABackup(String, name: String)
    /// Blobs that the database names are not in the server's data folder.
    case blobsMissing([BlobID])
    case file(FileError)
}

extension BackupError: ReportableError {
    package var code: String {
        switch self {
        case .noBackup: "no_backup"
        case .damaged: "backup_damaged"
        case .fromTheFuture: "backup_from_the_future"
        case .notABackup: "not_a_backup"
        case .blobsMissing: "blobs_missing"
        case .file: "backup_failed"
        }
    }

    package var message: String {
        switch self {
        case .noBackup(let folder):
            """
            there is no complete backup in \(folder).
            Make one with 'basket-server backup', or choose another folder.
            """
        case .damaged(let folder, let reason):
            """
            the backup in \(folder) is damaged: \(reason).
            Restore from another backup.
            """
        case .fromTheFuture(let folder, let format):
            """
            the backup in \(folder) is of format \(format), which this Basket does not know.
            Restore it with the Basket that made it, or with a newer one.
            """
        case .notABackup(let folder, let name):
            """
            the folder \(folder) holds '\(name)' and no backup.
            Choose an empty folder, or one with an earlier backup.
            """
        case .blobsMissing(let blobs):
            """
            \(blobs.count) blobs are missing from the server's data folder, \(blobs.prefix(3).map(\.text).joined(separator: ", ")) among them.
            Run 'basket-server check' to see what is damaged.
            """
        case .file(let error): "\(error)."
        }
    }
}
