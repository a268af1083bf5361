import BasketDatabase
import BasketModels

@testable import BasketStore

/// A client that knows a domain from its feed alone, and complains of what a client could not follow.
struct FeedReplay {
    struct Known: Equatable {
        let parent: ItemID?
        let name: String
        let rank: Int64
    }

    var anchor: Anchor?
    var items: [ItemID: Known] = [:]
    /// True when the last page went up to the present.
    var isCurrent = false
    var complaints: [String] = []

    /// Reads one page; begins anew where the anchor has expired.
    mutating func readPage(_ limit: Int, of domain: Domain, in db: Connection) throws {
        if anchor == nil { items = [:] }
        var rows = 0
        var folders: Set<ItemID> = []
        let page = try db.feed(of: domain, since: anchor, limit: limit) {
            row throws(SQLiteError) in
            let id: ItemID = try row[ItemColumn.id]
            rows += 1
            if !folders.insert(id).inserted, row.integer(ItemColumn.kind) != 2 {
                complaints.append("\(id) comes twice in a page")
            }
            if row.isNull(ItemColumn.deleted) {
                learn(
                    id,
                    Known(
                        parent: try row[ItemColumn.parent], name: try row[ItemColumn.name],
                        rank: row.integer(ItemColumn.rank)), in: domain)
            } else {
                items[id] = nil
            }
            return true
        }
        if page.count > limit { complaints.append("a page of \(limit) has \(page.count)") }
        if rows == 0, page.hasMore, page.anchor == anchor { complaints.append("no way on") }
        anchor = page.anchor
        isCurrent = !page.hasMore
    }

    private mutating func learn(_ id: ItemID, _ known: Known, in domain: Domain) {
        if let parent = known.parent, parent != domain.trash {
            if items[parent] == nil { complaints.append("\(id) comes before its parent \(parent)") }
            var above: ItemID? = parent
            while let next = above, next != id { above = items[next]?.parent }
            if above == id { complaints.append("\(id) would come to lie in itself") }
        }
        items[id] = known
    }
}
