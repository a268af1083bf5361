import FileProviderReplica
import Foundation

/// A part of a content, as an extension gives it: at its place in a file that else may be empty.
struct FetchedPart: Sendable {
    let file: URL
    let item: RemoteItem
    let range: Range<Int64>
    /// Holes in the file are real zeros, rather than what was not fetched.
    let hasTrueHoles: Bool
}
