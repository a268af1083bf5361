/// `POST …/items/I/restore`: out of the trash.
package struct RestoreRequest: Codable, Sendable {
    /// Where to; else to where it was.
    package var parent: String?
    package var name: String?

    package init(parent: String? = nil, name: String? = nil) {
        self.parent = parent
        self.name = name
    }
}
