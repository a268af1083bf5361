import BasketSupport
import FileProviderReplica

/// A file that was kept aside, because its bytes were nowhere else when it had to go.
package struct RescuedEntry: Codable, Sendable, Equatable {
    /// Where it was.
    package var path: String
    /// Where its bytes lie. They may be read and copied, and neither moved nor written to.
    package var file: String
    package var size: Int64
    package var reason: String
    package var since: String

    init(_ rescued: Rescued, at file: String) {
        path = rescued.path
        self.file = file
        size = rescued.size
        reason = rescued.reason
        since = rescued.since.rfc3339
    }
}
