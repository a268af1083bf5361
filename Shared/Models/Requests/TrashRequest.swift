/// `POST …/items/I/trash`.
package struct TrashRequest: Codable, Sendable {
    /// The content version that was seen.
    package var base: Version?

    package init(base: Version? = nil) {
        self.base = base
    }
}
