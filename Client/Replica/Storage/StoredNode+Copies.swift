// Where else its bytes are.
extension StoredNode {
    /// All of its bytes are here, and may be nowhere else: what was written here, what stays here, and what the provider
    /// does not have. Of a content of which a part is here, the provider has all.
    package var hasOnlyCopy: Bool {
        guard kind == .file, residence == .whole, let local = trees.local else { return false }
        return local.content.isEdit || exclusion != .no || trees.remote == nil
    }

    /// The provider has what is here, and keeps it: it was not asked to delete what is to stay here alone.
    var canBeFetchedAgain: Bool {
        guard let local = trees.local, trees.remote != nil else { return false }
        return !local.content.isEdit && (exclusion == .no || !isUnanswered)
    }
}
