import BasketSupport
import FileProviderReplica

/// Why an item is not where it should be.
package struct TroubleState: Codable, Sendable, Equatable {
    /// The error, as the provider gave it, or the host.
    package var domain: String
    package var code: Int
    package var message: String
    package var since: String
    package var attempts: Int
    /// When it is tried again, at the latest.
    package var retry: String

    init(_ trouble: Trouble) {
        domain = trouble.domain
        code = trouble.code
        message = trouble.message
        since = trouble.since.rfc3339
        attempts = trouble.attempts
        retry = trouble.retry.rfc3339
    }
}
