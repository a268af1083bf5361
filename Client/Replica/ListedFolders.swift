import Synchronization

/// Which folders programs have listed: they may go by a folder's date when they look whether it is as it was.
package final class ListedFolders: Sendable {
    /// Who lists more than that is not likely to look at them again.
    private static let most = 1 << 16

    private let folders = Mutex<Set<NodeID>>([])

    package func insert(_ folder: NodeID) {
        folders.withLock { folders in
            if folders.count == Self.most { folders = [] }
            folders.insert(folder)
        }
    }

    func contains(_ folder: NodeID) -> Bool {
        folders.withLock { $0.contains(folder) }
    }
}
