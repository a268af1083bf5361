extension ChangePage: QuicklyRead {
    package init?(quickly reader: inout JSONReader) {
        var items: [ItemInfo]?
        var anchor: String?
        var more: Bool?
        let isRead = reader.object { reader, member in
            switch member {
            case "items" where items == nil:
                items = reader.array { ItemInfo(quickly: &$0) }
                return items != nil
            case "anchor" where anchor == nil:
                anchor = reader.string()
                return anchor != nil
            case "more" where more == nil:
                more = reader.bool()
                return more != nil
            default: return false
            }
        }
        guard isRead, let items, let anchor, let more else { return nil }
        self.init(items: items, anchor: anchor, more: more)
    }
}
