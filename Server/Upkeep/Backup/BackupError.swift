import BasketSupport

/// Why a backup could not be made or brought back.
package enum BackupError: Error, Equatable {
    /// The folder holds no complete backup.
    case noBackup(String)
    case damaged(String, String)
    case fromTheFuture(String, format: Int)
    /// The folder has something else in it.
    case notABackup(String, name: String)
    /// The server took blobs away faster than they could be copied.
    case overtaken(rounds: Int)
    case file(FileError)
}

extension BackupError: ReportableError {
    package var code: String {
        switch self {
        case .noBackup: "no_backup"
        case .damaged: "backup_damaged"
        case .fromTheFuture: "backup_from_the_future"
        case .notABackup: "not_a_backup"
        case .overtaken: "backup_overtaken"
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
        case .overtaken(let rounds):
            """
            the server took files away before they could be copied, \(rounds) times.
            Try again when it has less to do.
            """
        case .file(let error): "\(error)."
        }
    }
}
