/// A secret in a keyring, as Basket finds it again.
package struct KeyringEntry: Sendable, Hashable {
    /// Nobody else's, and never used again.
    package let id: String
    /// The file that names it: whatever else is kept for that file is left over.
    package let file: String

    package init(id: String, file: String) {
        self.id = id
        self.file = file
    }
}
