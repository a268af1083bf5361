/// How far the provider's tidings were taken in.
package struct FeedPosition: Equatable, Sendable {
    let stage: Stage
    let anchor: [UInt8]?
    let page: [UInt8]?
    let folder: NodeID

    /// Whether something was taken in since it was at another one. What was begun anew in between, and is to be told
    /// from its start, does not count: that may go on for ever.
    package func hasComeOn(since other: FeedPosition) -> Bool {
        other.stage != .empty && stage.rawValue >= other.stage.rawValue && self != other
    }
}
