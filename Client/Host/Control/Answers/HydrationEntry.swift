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
}
