import BasketSupport
import FileProviderReplica

/// A file whose bytes are here.
package struct CachedContent: Codable, Sendable, Equatable {
    package enum Reason: String, Codable, Sendable {
        /// What was written here has not reached the provider yet.
        case unsent
        /// The provider does not have it, and is not to.
        case onlyHere = "only_here"
        /// A program has it open, or the provider reads it.
        case inUse = "in_use"
        case pinned
        /// The device itself goes by what is in it.
        case rules
        /// It was used, and goes when the room is wanted.
        case mayGo = "may_go"
    }

    package var item: ItemSummary
    package var bytes: Int64
    package var lastUsed: String?
    package var reason: Reason

    /// Where in the list a content stands.
    static func place(_ content: ContentHere) -> String {
        "\(content.opened?.nanoseconds ?? 0):\(content.node.rawValue)"
    }

    static func place(_ text: String) throws(ControlError) -> ContentHere {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Int64($0) }
        guard parts.count == 2, let opened = parts[0], let node = parts[1] else {
            throw ControlRequest.bad("after", "no place in this list")
        }
        return ContentHere(
            node: NodeID(rawValue: node), bytes: 0, opened: Timestamp(nanoseconds: opened))
    }
}
