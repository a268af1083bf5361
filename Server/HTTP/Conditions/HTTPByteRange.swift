/// A part of a content: from an offset, so many bytes, of all there are.
package struct HTTPByteRange: Hashable, Sendable {
    package let offset: Int64
    package let length: Int64

    package init(offset: Int64, length: Int64) {
        self.offset = offset
        self.length = length
    }

    package var end: Int64 { offset + length }

    /// `bytes 0-99/1234`.
    package func contentRange(of size: Int64) -> String {
        "bytes \(offset)-\(end - 1)/\(size)"
    }
}
