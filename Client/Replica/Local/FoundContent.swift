/// A file that an earlier replica has left.
package struct FoundContent: Sendable, Equatable {
    package let file: Int64
    package let mark: ContentMark
}
