import FileProviderReplica

/// What somebody waits for, who reads a file or looks into a folder.
struct Demand: Sendable {
    let node: NodeID
    /// Of a file; nil for all of it.
    let range: Range<Int64>?
    let program: Program?
}
