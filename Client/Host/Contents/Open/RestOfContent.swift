import BasketSupport
import FileProvider
import FileProviderReplica
import Foundation

/// What there is to know about a content for fetching what is missing of it.
struct RestOfContent: Sendable {
    var identifier: NSFileProviderItemIdentifier
    var version: Data
    var size: Int64
    /// The file that its bytes belong in, by its number, and which of them are there.
    var number: Int64
    var file: any ChangeableFile
    var ranges: ContentRanges
}
