import FileProvider

extension StoredNode {
    /// In what the local entry differs from what both sides agreed on, but for what the provider does not
    /// take.
    package var changesHere: NSFileProviderItemFields {
        guard let local = trees.local, let synced = trees.synced else { return [] }
        return local.fields(differingFrom: synced).subtracting(muted)
    }

    /// What the provider wants to be sent, as far as it is here; and what it may have been sent otherwise.
    package var requestedFields: NSFileProviderItemFields {
        guard trees.local != nil, trees.remote != nil, exclusion == .no else { return [] }
        let fields = request.fields.union(unheardFields)
        // Without its bytes, a file would be taken for an empty one.
        return kind == .file && residence != .whole ? fields.subtracting(.contents) : fields
    }

    /// Nothing is to be done: all trees say the same. A stand-in for a taken name is no difference: who
    /// frees the name has the node looked at again.
    package var isSettled: Bool {
        if exclusion != .no, let local = trees.local {
            return trees.remote == nil && exclusion != .leaving
                && (local.kind != .file || residence == .whole)
        }
        guard let local = trees.local, let synced = trees.synced, let remote = trees.remote else {
            return false
        }
        return synced == remote && local.kind == synced.kind && changesHere.isEmpty
            && requestedFields.isEmpty
    }
}
