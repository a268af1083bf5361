/// What came of `POST …/undelete`.
package struct UndeleteAnswer: Codable, Sendable, Equatable {
    /// How many items came back.
    package var restored: Int
    /// How many files stay deleted because others have their names; nil where they come back under other names.
    package var skipped: Int?

    package init(restored: Int, skipped: Int? = nil) {
        self.restored = restored
        self.skipped = skipped
    }
}
