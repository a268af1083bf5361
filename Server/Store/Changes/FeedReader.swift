import BasketDatabase
import BasketModels

/// Sends the folders that an item needs before it, once for a page.
struct FeedReader {
    private let db: Connection
    /// Known to everybody, and not in the feed.
    private let trash: ItemID
    private let listedSince: Int64?
    private var sent: Set<ItemID> = []
    private var folders: [ItemID: Folder] = [:]
    /// Folders from which everything up to the root is known to the reader of this page.
    private var settled: Set<ItemID> = []

    fileprivate struct Folder {
        let position: FeedPosition
        let parent: ItemID?
        /// False while it is where it was made.
        let mayHaveMoved: Bool
    }

    init(db: Connection, trash: ItemID, listedSince: Int64?) {
        self.db = db
        self.trash = trash
        self.listedSince = listedSince
    }

    func hasSent(_ folder: ItemID) -> Bool {
        sent.contains(folder)
    }

    /// Sends the folders above the row that come later in the feed. False when `body` had enough.
    ///
    /// A reader that has all up to `position` knows every folder that comes before it; so the search
    /// for later ones ends at the first earlier one. But where a folder was moved, it must go on up
    /// to the root: `c/g` may have become `g/c`, and `c` may come first although `g` moved before it,
    /// because something else of `g` changed since. Who followed that would put `c` into itself.
    mutating func sendParents(
        of row: borrowing Row, at position: FeedPosition,
        _ body: (borrowing Row) throws(SQLiteError) -> Bool
    ) throws(SQLiteError) -> Bool {
        var missing: [ItemID] = []
        var passed: [ItemID] = []
        let own = try Folder(row)
        var goesToTheTop = Self.isFolder(row) && mayHaveMoved(own)
        var next: ItemID? = try row[ItemColumn.parent]
        while let id = next, id != trash, !settled.contains(id), let folder = try folder(id) {
            if folder.position > position {
                if !sent.contains(id) { missing.append(id) }
                goesToTheTop = goesToTheTop || mayHaveMoved(folder)
            } else if !goesToTheTop {
                break
            }
            passed.append(id)
            next = folder.parent
        }
        if goesToTheTop { settled.formUnion(passed) }
        var goesOn = true
        for parent in missing.reversed() {
            sent.insert(parent)
            try db.each("SELECT \(ItemColumn.all) FROM item WHERE id = ?", parent) {
                row throws(SQLiteError) in
                goesOn = try body(row) && goesOn
                return true
            }
        }
        return goesOn
    }

    /// In a first listing, what did not change since it began is new to its reader, wherever it was.
    private func mayHaveMoved(_ folder: Folder) -> Bool {
        if let listedSince, folder.position.rank <= listedSince { return false }
        return folder.mayHaveMoved
    }

    private mutating func folder(_ id: ItemID) throws(SQLiteError) -> Folder? {
        if let known = folders[id] { return known }
        let found = try db.first("SELECT \(ItemColumn.all) FROM item WHERE id = ?", id) {
            row throws(SQLiteError) in try Folder(row)
        }
        folders[id] = found
        return found
    }

    private static func isFolder(_ row: borrowing Row) -> Bool {
        row.integer(ItemColumn.kind) == Int64(ItemKind.folder.rawValue)
    }
}

extension FeedReader.Folder {
    fileprivate init(_ row: borrowing Row) throws(SQLiteError) {
        let id: ItemID = try row[ItemColumn.id]
        position = FeedPosition(rank: row.integer(ItemColumn.rank), item: id)
        parent = try row[ItemColumn.parent]
        // An item's metadata starts with its own number as its version.
        mayHaveMoved = row.integer(ItemColumn.metadataVersion) != id.rawValue
    }
}
