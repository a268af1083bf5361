import BasketModels

/// A place between two changes of a feed: after this item at this rank. Items of one rank were
/// changed together, and come in the order of their identifiers.
struct FeedPosition: Comparable {
    let rank: Int64
    let item: ItemID

    init(rank: Int64, item: ItemID) {
        self.rank = rank
        self.item = item
    }

    /// After the anchor.
    init(_ anchor: Anchor) {
        self.init(rank: anchor.rank, item: anchor.item ?? ItemID(rawValue: .max))
    }

    static func < (left: FeedPosition, right: FeedPosition) -> Bool {
        (left.rank, left.item) < (right.rank, right.item)
    }
}
