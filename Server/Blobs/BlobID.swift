import BasketContent
import BasketSupport

/// Names a blob. Never used twice, so that whoever still knows a removed blob's name does not find
/// another one behind it.
package struct BlobID: Hashable, Sendable {
    package let rawValue: UInt64

    package init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// Reads what `text` wrote, and nothing else.
    package init?(text: String) {
        guard let rawValue = UInt64(base32: text) else { return nil }
        self.rawValue = rawValue
    }

    /// A new one. Drawn, not counted: two servers that were restored from one backup must not give
    /// different blobs one name, and blobs spread evenly over the store's folders.
    package static func drawn(in world: World) -> BlobID {
        BlobID(rawValue: world.randomUInt64())
    }

    /// 13 characters that sort like the numbers.
    package var text: String { rawValue.base32 }
}

extension BlobID: Comparable {
    package static func < (left: BlobID, right: BlobID) -> Bool {
        left.rawValue < right.rawValue
    }
}

extension BlobID: CustomStringConvertible {
    package var description: String { text }
}
