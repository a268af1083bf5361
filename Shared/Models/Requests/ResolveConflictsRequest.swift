/// `POST …/items/I/conflicts/resolve`.
package struct ResolveConflictsRequest: Codable, Sendable {
    package var keep: [Version]
    /// The current content version that was seen.
    package var base: Version

    package init(keep: [Version], base: Version) {
        self.keep = keep
        self.base = base
    }
}
