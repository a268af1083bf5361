import FileProviderReplica

/// What is around a node, and whom it would wait for.
struct Neighbours {
    var around = Surroundings()
    /// Where the node is to be asked for again, as it may have been made there and cannot be elsewhere just now.
    var placeMade: Entry?
    /// By the reason for which the node may have to wait.
    var parent: NodeID?
    var parentThere: NodeID?
    var child: NodeID?
    var holder: NodeID?
    var holderThere: NodeID?
    /// Nodes that have each other's names here, the one that is planned first.
    var circle: [NodeID] = []
}
