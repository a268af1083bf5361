/// Some of a folder's entries: as many as the kernel has room for.
package struct FuseListing: Sendable {
    package struct Element: Sendable {
        package let name: String
        package let entry: FuseEntry
        /// By this, the kernel asks for what follows.
        package let number: Int64
    }

    private static let shortHead = 24
    private static let longHead = 152
    private static let alignment = 8

    /// Whether the kernel takes each entry for one that it has looked up.
    package let withStatus: Bool
    let capacity: Int
    private var size = 0
    private(set) package var elements: [Element] = []

    package init(capacity: Int, withStatus: Bool) {
        self.capacity = capacity
        self.withStatus = withStatus
    }

    /// - Returns: false where there is no room for it.
    package mutating func add(_ name: String, _ entry: FuseEntry, number: Int64) -> Bool {
        let head = withStatus ? Self.longHead : Self.shortHead
        let length =
            (head + name.utf8.count + Self.alignment - 1) / Self.alignment * Self.alignment
        guard size + length <= capacity else { return false }
        size += length
        elements.append(Element(name: name, entry: entry, number: number))
        return true
    }
}
