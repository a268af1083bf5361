import BasketDatabase
import Synchronization

/// What one transaction has changed, to be told together once that is committed.
final class ChangeNotes: Sendable {
    private struct Noted {
        var changes: [ReplicaChanges.Change] = []
        /// Most often a folder's children change one after another: it is told of once.
        var lastFolder: NodeID?
        var isEmpty = true
        /// In which a name is somebody else's than before.
        var folders: Set<NodeID> = []
        var isByProgram = false

        /// What a program does, it and who watches have heard of.
        var told: [ReplicaChanges.Change] {
            guard isByProgram else { return changes }
            return changes.map { change in
                if case .node(let node, _) = change { .node(node, was: nil) } else { change }
            }
        }
    }

    private let noted = Mutex(Noted())

    func note(_ node: NodeID?, was former: StoredNode? = nil, in folder: NodeID?) {
        let former = former?.trees.local == nil ? .nowhere : FormerNode(former)
        noted.withLock { noted in
            noted.isEmpty = false
            if let node { noted.changes.append(.node(node, was: former)) }
            guard let folder, folder != noted.lastFolder else { return }
            noted.changes.append(.folder(folder))
            noted.lastFolder = folder
        }
    }

    /// A name in a folder is somebody else's than before, or nobody's.
    func note(namesIn folder: NodeID) {
        noted.withLock { _ = $0.folders.insert(folder) }
    }

    /// A folder has another date.
    func note(dateOf folder: NodeID) {
        noted.withLock { $0.changes.append(.date(folder)) }
    }

    /// A program does all of it.
    func noteProgram() {
        noted.withLock { $0.isByProgram = true }
    }

    /// In which names have changed, and whether a program has done that.
    var folders: (Set<NodeID>, isByProgram: Bool) {
        noted.withLock { ($0.folders, $0.isByProgram) }
    }

    /// Has it told, if there is anything.
    func tell(_ listeners: ReplicaChanges, after db: Connection) {
        let (changes, isEmpty) = noted.withLock { ($0.told, $0.isEmpty) }
        if !isEmpty { db.afterCommit { listeners.tell(changes) } }
    }
}
