/// Where the bytes of contents lie, and where there is room when they go.
package enum ContentPlace: Sendable {
    /// In pages of the database's file, which does not shrink: they are used again.
    case database
    /// In files of their own, which give the disk back what they took.
    case blobs
}
