/// Tells one state of an item's content, or of its metadata, from every other. Newer ones are
/// greater, but only equality means anything to a client.
package struct Version: OpaqueNumber {
    package let rawValue: Int64

    package init(rawValue: Int64) {
        self.rawValue = rawValue
    }
}
