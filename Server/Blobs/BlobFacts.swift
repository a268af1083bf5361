import BasketSupport

/// What a store knows of a blob without reading it.
package struct BlobFacts: Equatable, Sendable {
    package let size: Int64
    /// When its last byte was written. A blob younger than the longest request may still be waiting
    /// for the row that names it.
    package let modified: Timestamp

    package init(size: Int64, modified: Timestamp) {
        self.size = size
        self.modified = modified
    }
}
