import FileProvider
import FileProviderReplica

/// What an operation is about, as things stood when it was listed.
enum TestingSubject: Hashable, Sendable {
    /// A step of the plan for a node, and the trees that it follows from.
    case step(Step, NodeID, NodeTrees)
    /// Something that the provider has told, by its number.
    case told(UInt64)
    /// A folder that the provider has told of nothing but what lies in it.
    case unknown(NSFileProviderItemIdentifier)
    /// What the provider did not tell again, when it told everything.
    case unseen(NodeID)
    /// All that the working set holds.
    case everything
    /// A folder that was listed before, now that everything is told again.
    case again(NodeID)
    /// Somebody waits for what is in a file or a folder, or it is to be here as soon as there is time.
    case wanted(NodeID)
}
