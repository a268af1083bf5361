/// A file that an earlier replica has left.
package struct FoundContent: Sendable, Equatable {
    /// What is known of what a crash of the machine has done to it.
    enum Doubt: Int {
        case none = 0
        case damaged = 1
        /// Nobody could look at it.
        case unseen = -1
    }

    package let file: Int64
    package let mark: ContentMark
}
