import BasketSupport
import FileProviderReplica

/// Who had bytes of a file brought here.
package struct HydrationEntry: Codable, Sendable, Equatable {
    package var item: ItemSummary?
    /// Nil where nobody waited for it.
    package var program: String?
    package var bytes: Int64
    package var since: String
    package var last: String

    init(_ hydration: Hydration, _ reader: ReplicaReader) throws {
        item = try reader.node(hydration.node).map { try ItemSummary($0, reader) }
        program = hydration.program
        bytes = hydration.bytes
        since = hydration.since.rfc3339
        last = hydration.last.rfc3339
    }

    /// Where in the list one stands.
    static func place(_ place: Hydration.Place) -> String {
        "\(place.last.nanoseconds):\(place.node.rawValue):\(place.program)"
    }

    static func place(_ text: String) throws(ControlError) -> Hydration.Place {
        // A program may be called anything.
        let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let last = Int64(parts[0]), let node = Int64(parts[1]) else {
            throw ControlRequest.bad("after", "no place in this list")
        }
        return Hydration.Place(
            last: Timestamp(nanoseconds: last), node: NodeID(rawValue: node),
            program: String(parts[2]))
    }
}
