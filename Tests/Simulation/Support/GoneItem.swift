/// Something that was deleted at a storage.
struct GoneItem: Sendable {
    let identifier: String
    let name: String
    /// Where it was last.
    let parent: String
    /// Of a file.
    let text: String?
}
