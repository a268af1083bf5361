/// A small picture of a file.
package struct Thumbnail: Sendable, Equatable {
    /// `image/jpeg`, `image/png` or `image/webp`.
    package var type: String
    package var bytes: [UInt8]
    /// What to ask with the next time.
    package var tag: String?

    package init(type: String, bytes: [UInt8], tag: String? = nil) {
        self.type = type
        self.bytes = bytes
        self.tag = tag
    }
}
