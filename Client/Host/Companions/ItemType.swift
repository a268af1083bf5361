import UniformTypeIdentifiers

/// What rules ask about types.
enum ItemType {
    static func conforms(_ identifier: String, to other: String) -> Bool {
        if identifier == other { return true }
        guard let type = UTType(identifier), let general = UTType(other) else { return false }
        return type.conforms(to: general)
    }
}
