/// A small picture of an item.
package struct Thumbnail: Sendable, Equatable {
    package let type: String
    package let data: [UInt8]

    package static let longest = 256 << 10
    package static let types = ["image/jpeg", "image/png", "image/webp"]

    package init(type: String, data: [UInt8]) {
        self.type = type
        self.data = data
    }
}
