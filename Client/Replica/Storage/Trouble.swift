import BasketDatabase
import BasketSupport

/// Why a node is not where it should be.
package struct Trouble: Sendable, Equatable {
    /// Of what the system itself cannot go on with.
    package static let ownDomain = "FileProviderHost"

    /// Nothing waits longer for its next try. What seems to was noted when the clock was ahead, and is due.
    package static let longestWait = Duration.seconds(600)

    /// When what was written meanwhile is tried once more.
    package static let soon = Duration.seconds(5)

    /// The error, as the extension or the system gave it.
    package var domain: String
    package var code: Int
    package var message: String
    package var since: Timestamp
    package var attempts: Int
    /// When it is tried again at the latest: sooner where the error is resolved, or something changes here.
    package var retry: Timestamp

    package init(
        domain: String, code: Int, message: String, since: Timestamp, attempts: Int,
        retry: Timestamp
    ) {
        self.domain = domain
        self.code = code
        self.message = message
        self.since = since
        self.attempts = attempts
        self.retry = retry
    }

    init(_ row: borrowing Row) throws(SQLiteError) {
        domain = try row[0]
        code = try row[1]
        message = try row[2]
        since = try row[3]
        attempts = try row[4]
        retry = try row[5]
    }
}
