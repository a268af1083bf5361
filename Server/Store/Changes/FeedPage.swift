import BasketModels

/// What a page of the feed ended with.
package struct FeedPage: Sendable, Equatable {
    /// Where the next page begins.
    package let anchor: Anchor
    /// False when the page went up to the domain's present.
    package let hasMore: Bool
    package let count: Int
}
