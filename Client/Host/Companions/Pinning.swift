import FileProvider

/// What a provider offers to somebody who wants items kept here, or kept no longer.
package enum Pinning: Sendable {
    case action(NSFileProviderExtensionActionIdentifier)
    /// They are so: the way back is all that is offered.
    case isSo
    case notOffered
}
