/// Something that was deleted at a storage.
struct GoneItem: Sendable {
    let identifier: String
    let name: String
    /// Of a file.
    let text: String?
}
