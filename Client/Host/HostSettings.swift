/// How much a host does at once.
package struct HostSettings: Sendable {
    package var uploads = 8
    package var metadataChanges = 32
    package var downloads = 8
    /// Whether many removals at once wait until somebody confirms them.
    package var holdsManyRemovals = true

    package init() {}

    func limit(of category: CallCategory) -> Int {
        switch category {
        case .content: uploads
        case .metadata: metadataChanges
        case .download: downloads
        }
    }
}
