/// How far the journal of what is unsent has come, by the numbers of the replica that it is of.
struct UnsentMark: Sendable, Equatable {
    /// The replica's.
    let identity: [UInt8]
    /// How often something was noted.
    let noted: Int64
    /// The number of the last node.
    let nodes: Int64
}
