/// Which trees have a node, as its row says it.
struct TreeBits: OptionSet {
    let rawValue: Int
    static let local = TreeBits(rawValue: 1)
    static let synced = TreeBits(rawValue: 2)
    static let remote = TreeBits(rawValue: 4)
}
