import Foundation
import UniformTypeIdentifiers

/// Something that a search found.
public protocol NSFileProviderSearchResult {
    /// Good for every call of the extension.
    var itemIdentifier: NSFileProviderItemIdentifier { get }
    var filename: String { get }
    var creationDate: Date? { get }
    var contentModificationDate: Date? { get }
    var lastUsedDate: Date? { get }
    var contentType: UTType { get }
    var documentSize: NSNumber? { get }
}
