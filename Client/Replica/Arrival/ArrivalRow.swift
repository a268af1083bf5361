/// Something on its way from a tree on the disk into the replica.
struct ArrivalRow: Sendable {
    let node: NodeID
    /// The folder that it lies in, under this name.
    let folder: NodeID
    let name: String
    /// The number that its bytes get.
    let file: Int64?
    let entry: Entry
}
