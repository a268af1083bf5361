import FileProvider
import Foundation
import UniformTypeIdentifiers

/// An item that the server found.
struct SearchResult: NSFileProviderSearchResult, Sendable {
    private let item: BasketItem

    init(_ item: BasketItem) {
        self.item = item
    }

    var itemIdentifier: NSFileProviderItemIdentifier { item.itemIdentifier }
    var filename: String { item.filename }
    var creationDate: Date? { item.creationDate }
    var contentModificationDate: Date? { item.contentModificationDate }
    var lastUsedDate: Date? { item.lastUsedDate }
    var contentType: UTType { item.contentType }
    var documentSize: NSNumber? { item.documentSize }
}
