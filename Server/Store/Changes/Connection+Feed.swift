import BasketDatabase
import BasketModels

extension Connection {
    /// Lends the rows that changed since the anchor, oldest first: each item once, at its newest
    /// change, deleted ones as tombstones. A folder that changed after an item inside it comes before
    /// that item too, so that nobody gets a child without its parent, nor a folder inside itself.
    ///
    /// The domain must have been read from the same snapshot.
    ///
    /// - Parameters:
    ///   - anchor: nil for a first listing, which leaves tombstones out.
    ///   - limit: how many changes the page may hold.
    ///   - body: answers false when the page is full for other reasons; the row was taken.
    package func feed(
        of domain: Domain, since anchor: Anchor?, limit: Int,
        body: (borrowing Row) throws(SQLiteError) -> Bool
    ) throws -> FeedPage {
        let start = try validated(anchor, in: domain)
        var reader = FeedReader(
            db: self, trash: domain.trash, listedSince: start.listedSince)
        var last = FeedPosition(start)
        var count = 0
        var isFull = false
        var hasMore = false
        let listed = start.listedSince
        try each(
            """
            SELECT \(ItemColumn.all) FROM item
            WHERE domain = ?1 AND (rank, id) > (?2, ?3) AND id <> ?4
            ORDER BY rank, id
            """, domain.id, last.rank, last.item, domain.trash
        ) { row throws(SQLiteError) in
            let position = FeedPosition(
                rank: row.integer(ItemColumn.rank),
                item: ItemID(rawValue: row.integer(ItemColumn.id)))
            // It came before something inside it, as it still is. A full page goes on over such: for a
            // deep tree that was built from its bottom, every page would send all folders again.
            if reader.hasSent(position.item) {
                last = position
                return true
            }
            if count >= limit || isFull {
                hasMore = true
                return false
            }
            last = position
            let isTombstone = !row.isNull(ItemColumn.deleted)
            // A first listing need not hear of what was gone before it began.
            if isTombstone, let listed, last.rank <= listed { return true }
            count += 1
            if !isTombstone, !(try reader.sendParents(of: row, at: last, body)) { isFull = true }
            if !(try body(row)) { isFull = true }
            return true
        }
        guard hasMore else {
            return FeedPage(anchor: domain.anchor, hasMore: false, count: count)
        }
        let next = Anchor(
            epoch: domain.epoch, rank: last.rank, item: last.item, listedSince: listed)
        return FeedPage(anchor: next, hasMore: true, count: count)
    }

    /// The anchor, if the feed can go on from it.
    private func validated(_ anchor: Anchor?, in domain: Domain) throws(StoreError) -> Anchor {
        guard let anchor else {
            return Anchor(epoch: domain.epoch, rank: 0, listedSince: domain.rank)
        }
        // Within a rank, only a part of it was seen.
        let seen = anchor.listedSince ?? (anchor.item == nil ? anchor.rank : anchor.rank - 1)
        guard anchor.epoch == domain.epoch else { throw .anchorExpired }
        guard anchor.rank <= domain.rank, seen <= domain.rank else { throw .anchorAhead }
        guard seen >= domain.pruned else { throw .anchorExpired }
        return anchor
    }
}
