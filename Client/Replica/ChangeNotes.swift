import BasketDatabase
import Synchronization

/// What one transaction has changed, to be told together once that is committed.
final class ChangeNotes: Sendable {
    private struct Noted {
        var changes: [ReplicaChanges.Change] = []
        /// Most often a folder's children change one after another: it is told of once.
        var lastFolder: NodeID?
        var isEmpty = true
    }

    private let noted = Mutex(Noted())

    func note(_ node: NodeID?, in folder: NodeID?) {
        noted.withLock { noted in
            noted.isEmpty = false
            if let node { noted.changes.append(.node(node)) }
            guard let folder, folder != noted.lastFolder else { return }
            noted.changes.append(.folder(folder))
            noted.lastFolder = folder
        }
    }

    /// Has it told, if there is anything.
    func tell(_ listeners: ReplicaChanges, after db: Connection) {
        let (changes, isEmpty) = noted.withLock { ($0.changes, $0.isEmpty) }
        if !isEmpty { db.afterCommit { listeners.tell(changes) } }
    }
}
