import BasketDatabase
import BasketSupport
import Glibc

/// The disk did not keep what was moved into the database's file, and the system will not say so again. The
/// log still has it; but only until it is begun anew, which must not happen in this process any more.
struct LostWrites: ReportableError {
    let code = "disk_lost_writes"
    let message: String

    init(_ error: SQLiteError) {
        message = """
            the disk has lost what was written to the database: \(error.message).
            Nothing that was answered is lost: it is written again at the next start.
            See whether the disk is well, and start the server again.
            """
    }

    /// Says so and ends the process as it stands.
    static func end(_ error: SQLiteError, console: Console, asJSON: Bool) -> Never {
        console.report(LostWrites(error), program: "basket-server", asJSON: asJSON)
        _exit(ExitCode.failure.rawValue)
    }
}
