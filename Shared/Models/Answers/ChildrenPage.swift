/// A part of what is in a folder.
package struct ChildrenPage: Decodable, Sendable {
    package var items: [ItemInfo]
    /// The cursor of the next page; nil on the last one.
    package var next: String?
}
