import FileProvider

/// The decorations that items bear, by the names under which they are to be declared.
package enum Decoration: String, Sendable, CaseIterable {
    /// Contents of it lost a race, and wait for somebody to decide.
    case conflict = "basket.conflict"
    /// Somebody has it open.
    case locked = "basket.locked"
    /// It is kept downloaded on this device.
    case pinned = "basket.pinned"
    case favorite = "basket.favorite"
    /// Other people have a part in it.
    case shared = "basket.shared"

    package var identifier: NSFileProviderItemDecorationIdentifier {
        NSFileProviderItemDecorationIdentifier(rawValue)
    }
}
