/// Something that a replica's database, its journal and its files do not say alike.
package struct ReplicaProblem: Sendable, Equatable {
    /// Nil where it is none of one item alone.
    package let node: NodeID?
    package let text: String
}
