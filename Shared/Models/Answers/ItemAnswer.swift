/// The item as it is after a change.
package struct ItemAnswer: Decodable, Sendable {
    package var item: ItemInfo
    /// Fields that somebody else had changed meanwhile, and that stay as they are.
    package var notApplied: [String]?
}
