/// The item as it is after a change.
package struct ItemAnswer: Decodable, Sendable {
    package var item: ItemInfo
    /// Fields that somebody else had changed meanwhile, and that stay as they are.
    package var notApplied: [String]?
    /// Of a creation: false when the item was there before. The answer's status says so, not its body.
    package var isNew = false

    private enum CodingKeys: CodingKey {
        case item, notApplied
    }
}
