import BasketDatabase
import FileProvider
import FileProviderReplica

// Who has to be somewhere else at the provider before others can go where they are here, and whether they wait for each
// other.
//
// Who waits for whom is noted, one for each: where nobody can go on, that leads in a circle. Somebody in it waits for a name
// in a folder that it can go to, as who waits for a folder to be made, to be left or to be empty waits for somebody who has no
// name yet. Put aside there, nobody waits for it any more.
extension ReplicaReader {
    /// Those that wait, each for the next, from the one for whom a node waits to one that waits for the node; empty where nobody
    /// does.
    func circle(of node: NodeID, waitingFor other: NodeID) throws -> [NodeID] {
        // A line grows at its end, with those that nobody waits for: it is not walked for each of them.
        let isAwaited: Int? = try db.value("SELECT 1 FROM node WHERE waits = ? LIMIT 1", node)
        guard isAwaited != nil else { return [] }
        var line = [other]
        var met: Set<NodeID> = [other]
        while let last = line.last,
            let next: NodeID = try db.value(
                "SELECT waits FROM node WHERE id = ? AND waits > 0", last)
        {
            if next == node { return line }
            guard met.insert(next).inserted else { break }
            line.append(next)
        }
        return []
    }

    /// Where the folder into which a node was put lies in the node itself there: who is to leave that.
    func folderToBeLeft(by node: StoredNode, at place: Entry) throws -> NodeID? {
        guard node.kind == .folder, let remote = node.trees.remote, remote.parent != place.parent
        else { return nil }
        // Where it may lie in there: as was told, or as somebody was asked for and has not answered.
        var ways: [(next: NodeID, leaving: NodeID?)] = [(place.parent, nil)]
        var met: Set<NodeID> = []
        while let (next, leaving) = ways.popLast() {
            if next == node.id { return leaving }
            guard next != .root, next != .trash, met.insert(next).inserted,
                let above = try self.node(next)
            else { continue }
            for asked in above.unheard where asked.fields.contains(.parentItemIdentifier) {
                ways.append((asked.entry.parent, leaving ?? next))
            }
            guard let parent = above.trees.remote?.parent else { continue }
            // What others have put there goes nowhere: the provider decides.
            let leaves = above.changesHere.contains(.parentItemIdentifier)
            ways.append((parent, leaving ?? (leaves ? next : nil)))
        }
        return nil
    }
}
