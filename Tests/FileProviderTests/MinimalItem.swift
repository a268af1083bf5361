import FileProvider
import Foundation

/// An item with nothing but its name and place.
class MinimalItem: NSObject, NSFileProviderItem {
    let itemIdentifier: NSFileProviderItemIdentifier

    init(_ identifier: NSFileProviderItemIdentifier) {
        itemIdentifier = identifier
    }

    var parentItemIdentifier: NSFileProviderItemIdentifier { .rootContainer }
    var filename: String { itemIdentifier.rawValue }
}
