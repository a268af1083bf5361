/// A part of what changed since an anchor.
package struct ChangePage: Decodable, Sendable, Equatable {
    package var items: [ItemInfo]
    /// From where to go on. Opaque.
    package var anchor: String
    package var more: Bool
}
