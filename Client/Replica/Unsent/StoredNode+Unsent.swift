extension StoredNode {
    /// Something of it is known to this device alone: what was made, changed or removed here and is not agreed on,
    /// what stays here, and what the provider was asked for and has not answered.
    package var isUnsent: Bool {
        if exclusion != .no, trees.local != nil { return true }
        switch (trees.local, trees.synced) {
        case (nil, nil): return false
        case (nil, .some): return trees.remote != nil || isUnanswered
        case (.some, nil): return true
        case (let local?, let synced?):
            return isUnanswered || !unheard.isEmpty || !local.fields(differingFrom: synced).isEmpty
        }
    }

    /// The folders in which it lies in any tree. The places that are there from the start are none.
    var homes: [NodeID] {
        [trees.local, trees.synced, trees.remote].compactMap { $0?.parent }.filter { $0 > .trash }
    }
}
