import FileProvider

/// What the system is told of a creation or a change.
struct ItemReply: Sendable {
    /// Nil: the item is not wanted here.
    var item: BasketItem?
    var pending: NSFileProviderItemFields = []
    /// Whether the content on the server is another one than the one that was sent.
    var shouldFetch = false
}
