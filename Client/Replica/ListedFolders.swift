import Synchronization

/// Which folders programs have listed: they may go by a folder's date when they look whether it is as it was.
package final class ListedFolders: Sendable {
    private let folders = Mutex<Set<NodeID>>([])

    package func insert(_ folder: NodeID) {
        folders.withLock { _ = $0.insert(folder) }
    }

    func contains(_ folder: NodeID) -> Bool {
        folders.withLock { $0.contains(folder) }
    }
}
