import UniformTypeIdentifiers

/// What rules ask about types.
enum ItemType {
    /// - Parameter spelling: an identifier, or one with what it conforms to.
    static func conforms(_ spelling: String, to other: String) -> Bool {
        if spelling == other { return true }
        guard let type = UTType(spelling: spelling), let general = UTType(other) else {
            return false
        }
        return type.conforms(to: general)
    }
}
