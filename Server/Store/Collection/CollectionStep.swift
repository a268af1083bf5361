/// What one step of the collection did, and whether another one has something to do.
package struct CollectionStep: Sendable, Equatable {
    /// Rows that went.
    package var dropped = 0
    /// Rows that were met on the way and should not have been: somebody still names them, although
    /// they count as dead. They stay.
    package var kept = 0
    /// Blobs that were left empty.
    package var discarded = 0
    package var isDone = true

    package init() {}
}
