/// A part of what a search found.
package struct SearchPage: Decodable, Sendable {
    package var items: [ItemInfo]
    package var more: Bool
}
