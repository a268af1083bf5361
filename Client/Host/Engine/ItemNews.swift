import FileProviderReplica

/// An item as it was when it was asked for once more, because something else had been told of it while an answer was on
/// its way.
struct ItemNews: Sendable {
    let item: RemoteItem
    /// What had been told.
    let told: Entry
}
