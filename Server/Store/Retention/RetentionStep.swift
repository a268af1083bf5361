/// What one step of retention did, and whether another one has something to do.
package struct RetentionStep: Sendable, Equatable {
    package var dropped = 0
    package var freed: Int64 = 0
    package var isDone = true
    /// Whether it changed anything, though it may not have come to the end of a single item.
    package var hasProgress = false

    package init() {}
}
