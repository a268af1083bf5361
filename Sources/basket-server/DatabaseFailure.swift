import BasketDatabase
import BasketSupport
import BasketUpkeep

/// A database that does not open, in words of a command: which one, and what to do.
struct DatabaseFailure: ReportableError {
    let code = "database_unusable"
    let message: String

    private init(_ error: SQLiteError, _ folder: DataFolder) {
        let wayOut =
            if error.isBusy {
                "Another process is writing to it: try again in a moment."
            } else if error.isCorrupt {
                "It is damaged: restore a backup into another folder, and keep this one."
            } else if error.isFull {
                "The disk is full. Make room beside it; nothing that was answered is lost."
            } else {
                """
                See that it belongs to the user who runs this, and that its disk can be written to: \
                even to read it, files are needed beside it.
                """
            }
        message = "\(folder.database) cannot be used: \(error.message).\n\(wayOut)"
    }

    /// What the body gives; its database is that of the folder.
    static func told<Result>(
        of folder: DataFolder, _ body: () async throws -> Result
    ) async throws -> Result {
        do {
            return try await body()
        } catch let error as SQLiteError {
            // Stopped because the command was told to end.
            if error.isInterrupted, Task.isCancelled { throw CancellationError() }
            throw DatabaseFailure(error, folder)
        }
    }
}
