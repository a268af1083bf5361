/// The item after its conflict was ended, and the files that were made beside it.
package struct ConflictAnswer: Decodable, Sendable {
    package var item: ItemInfo
    package var created: [ItemInfo]?
}
