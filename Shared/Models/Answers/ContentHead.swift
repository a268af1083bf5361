import BasketContent

/// What stands before each content where many come in one answer: a line, then as many bytes as it says, then the
/// end of a line.
package struct ContentHead: Decodable, Sendable {
    package static let mediaType = "application/vnd.basket.contents"

    /// The item as it is now, whichever version the content is of.
    package var item: ItemInfo?
    package var version: Version?
    package var size: Int64?
    package var sha256: ContentHash?
    /// Why there is no content. No bytes follow then.
    package var problem: ServerProblem?
}

extension ContentHead: QuicklyRead {
    package init?(quickly reader: inout JSONReader) {
        let isRead = reader.object { reader, member in
            switch member {
            case "item" where item == nil:
                item = ItemInfo(quickly: &reader)
                return item != nil
            case "version" where version == nil:
                version = reader.string().flatMap { Version($0) }
                return version != nil
            case "size" where size == nil:
                size = reader.integer()
                return size != nil
            case "sha256" where sha256 == nil:
                sha256 = reader.string().flatMap { ContentHash(hex: $0) }
                return sha256 != nil
            default: return false
            }
        }
        guard isRead else { return nil }
    }
}
