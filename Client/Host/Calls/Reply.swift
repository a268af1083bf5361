import FileProvider
import FileProviderReplica

/// What an extension answered to a creation or a modification.
struct Reply: Sendable {
    /// Nil: it is refused, and to be deleted here.
    let item: RemoteItem?
    let pending: NSFileProviderItemFields
    let shouldFetch: Bool
}
