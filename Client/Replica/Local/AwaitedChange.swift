/// A change that somebody waits for.
package struct AwaitedChange: Sendable, Equatable {
    package let node: NodeID
    /// Where its content lies, where it has one.
    package let file: Int64?
}
