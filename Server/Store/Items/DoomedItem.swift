import BasketDatabase
import BasketModels

/// What is to know of an item that is about to be deleted.
struct DoomedItem {
    let id: ItemID
    let size: Int64
    /// Whether it counts more than its content: conflict versions or a thumbnail.
    let hasMore: Bool
    let hasChildren: Bool

    static let columns =
        "item.id, item.size, item.conflicts > 0 OR item.thumbnail IS NOT NULL, item.children > 0"

    init(_ row: borrowing Row) throws(SQLiteError) {
        id = try row[0]
        size = try row[1]
        hasMore = try row[2]
        hasChildren = try row[3]
    }
}
