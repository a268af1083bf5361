import BasketContent
import BasketSupport

/// A content that a file has, had, or that lost a race.
package struct VersionInfo: Decodable, Sendable, Equatable {
    package enum Standing: String, Sendable, DecodableWord {
        case current, earlier, conflict
    }

    package var version: Version
    package var standing: Standing
    package var size: Int64
    package var sha256: ContentHash
    /// The version that its writer had seen, if it said so.
    package var base: Version?
    package var account: String?
    /// The name of the device that it came from.
    package var device: String?
    package var stored: Timestamp
    package var modified: Timestamp
}
