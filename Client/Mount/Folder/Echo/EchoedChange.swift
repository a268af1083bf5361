import FileProviderReplica

/// Something that others have changed, as a program would do it.
enum EchoedChange: Sendable {
    case creation(KernelView.Place, NodeID)
    case removal(KernelView.Place, FileStatus, as: UInt64)
    case move(from: KernelView.Place, to: KernelView.Place, NodeID)
    case content(NodeID)
    case attributes(NodeID)
}
