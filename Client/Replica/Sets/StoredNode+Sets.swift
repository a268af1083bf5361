import FileProvider

extension StoredNode {
    /// Under which name it is in the set of what is materialised; nil when it is not.
    var materialisedName: NSFileProviderItemIdentifier? {
        guard trees.local != nil, isListed || residence != .dataless else { return nil }
        return identifier
    }
}
