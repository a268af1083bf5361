/// Where a content's bytes are.
package enum StoredContent: Sendable {
    case inline([UInt8])
    /// In order, neighbours within one blob joined.
    case extents([Extent])

    /// A run of bytes in a blob.
    package struct Extent: Sendable, Equatable {
        package let place: BlobPlace
        package let length: Int64
    }
}
