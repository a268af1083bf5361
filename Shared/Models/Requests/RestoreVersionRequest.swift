/// `POST …/items/I/versions/V/restore`.
package struct RestoreVersionRequest: Codable, Sendable {
    package var base: Version?

    package init(base: Version? = nil) {
        self.base = base
    }
}
