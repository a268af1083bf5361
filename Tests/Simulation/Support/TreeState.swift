/// One state of a device's tree: as long as it is the same, nothing in it has changed.
struct TreeState: Hashable {
    let start: Int
    let changes: UInt64
}
