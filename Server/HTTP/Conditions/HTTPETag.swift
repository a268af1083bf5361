/// The name of one state of a resource.
package struct HTTPETag: Hashable, Sendable, CustomStringConvertible {
    /// What stands between the quotes.
    package let value: String
    /// A weak tag names states that mean the same but may differ in their bytes.
    package let isWeak: Bool

    package init(_ value: String, isWeak: Bool = false) {
        self.value = value
        self.isWeak = isWeak
    }

    /// As it stands in a header.
    package var description: String {
        isWeak ? "W/\"\(value)\"" : "\"\(value)\""
    }

    /// The same bytes: what `If-Match` and ranges ask for.
    package func isSame(as other: HTTPETag) -> Bool {
        !isWeak && !other.isWeak && value == other.value
    }

    /// The same meaning: what `If-None-Match` asks for.
    package func isEquivalent(to other: HTTPETag) -> Bool {
        value == other.value
    }
}
