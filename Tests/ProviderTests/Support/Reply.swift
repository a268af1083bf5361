import FileProvider
import Foundation

/// What a creation or a change was answered with.
struct Reply: @unchecked Sendable {
    // Unchecked: the items are of a type of the extension's that never changes.
    let item: (any NSFileProviderItemProtocol)?
    let pending: NSFileProviderItemFields
    let shouldFetch: Bool
}
