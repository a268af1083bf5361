import BasketSupport
import FileProviderReplica

// What somebody wants to have here, without waiting for it.
extension DomainHost {
    /// Completes when it is noted that the item is wanted: a file, or one level of a folder.
    package func requestDownload(of id: NodeID) async throws {
        _ = try await replica.write { transaction in
            try transaction.update(id) { node in
                switch node.kind {
                case .file: node.isWanted = node.residence != .whole
                case .folder: node.isWanted = !node.isListed
                case .symlink: break
                }
            }
        }
    }
}
