/// What is known of one node: what the folder shows, what both sides last agreed on, and what the
/// provider last said. The state of synchronisation is these three and nothing else.
package struct NodeTrees: Hashable, Sendable {
    package var local: Entry?
    package var synced: Entry?
    package var remote: Entry?

    package init(local: Entry? = nil, synced: Entry? = nil, remote: Entry? = nil) {
        self.local = local
        self.synced = synced
        self.remote = remote
    }

    /// All three say the same, so that nothing is to be done. A stand-in for a taken name is no
    /// difference: who frees the name has the node looked at again.
    package var isSettled: Bool {
        guard let local, let synced, let remote else { return false }
        return synced == remote && local.kind == synced.kind
            && local.fields(differingFrom: synced).isEmpty
    }
}
