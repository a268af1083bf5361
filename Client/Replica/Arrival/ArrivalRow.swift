/// Something on its way from a tree on the disk into the replica.
package struct ArrivalRow: Sendable {
    package let node: NodeID
    /// The folder that it lies in, under this name.
    let folder: NodeID
    package let name: String
    /// The number that its bytes get.
    package let file: Int64?
    let entry: Entry
}
