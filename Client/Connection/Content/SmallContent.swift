import BasketModels

/// A content that came with others, and its item as it is now.
package struct SmallContent: Sendable {
    package var item: ItemInfo
    package var version: Version
    package var bytes: [UInt8]
}
