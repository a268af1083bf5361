/// Names an item for as long as anybody remembers it, wherever it moves. Never given twice, not
/// even by a server that was restored from a backup.
package struct ItemID: OpaqueNumber {
    package let rawValue: Int64

    package init(rawValue: Int64) {
        self.rawValue = rawValue
    }
}
