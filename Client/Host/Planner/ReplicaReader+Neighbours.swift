import BasketDatabase
import BasketSupport
import FileProvider
import FileProviderReplica
import Foundation

extension ReplicaReader {
    /// Looked up by indices; only the way up to the root is walked, and the line of those that wait for each other.
    func neighbours(of node: StoredNode) throws -> Neighbours {
        var found = Neighbours()
        found.around.isUnanswered = node.isUnanswered
        if let place = node.trees.local ?? (node.isUnanswered ? node.trees.synced : nil) {
            found.around.upstream = try upstream(place.parent)
            found.parentThere = place.parent
            if found.around.upstream == .known,
                let folder = try folderToBeLeft(by: node, at: place)
            {
                (found.around.upstream, found.parentThere) = (.unborn, folder)
            }
        }
        if let local = node.trees.local {
            // Whose place is what the provider has told, waits for nobody.
            if node.trees.remote?.isAt(local) != true {
                (found.around.upstreamHolder, found.holderThere) = try upstreamHolder(
                    of: node, at: local)
                if found.around.upstream != .known { try putFolderFirst(node, &found) }
            }
        }
        if try node.isUnanswered && (found.around.isHeldUpThere || placeAside(of: node) != nil) {
            found.placeMade = try placeMade(of: node)
            found.around.mayBeElsewhere = found.placeMade != nil
        }
        if let remote = node.trees.remote {
            if node.trees.local?.isAt(remote) != true {
                found.around.downstream = try downstream(remote.parent, for: node.id)
                found.parent = remote.parent
                let (holder, id, circle) = try downstreamHolder(
                    of: remote, for: node)
                found.around.downstreamHolder = holder
                found.circle = circle
                found.holder = id
            }
        }
        if node.kind == .folder { try lookAtChildren(of: node, &found) }
        return found
    }

    /// What cannot go where it is here waits for its folder, and not for the name in it.
    private func putFolderFirst(_ node: StoredNode, _ found: inout Neighbours) throws {
        if found.around.upstreamHolder == .circle { found.around.upstreamHolder = .leaving }
        // Asked to be in many places, it has not been told of any: that may be all there is to a circle.
        guard found.around.upstream == .unborn, node.trees.remote != nil, !node.unheard.isEmpty,
            let folder = found.parentThere,
            try !circle(of: node.id, waitingFor: folder).isEmpty
        else { return }
        found.around.upstreamHolder = .circle
    }

    // MARK: Parents

    func upstream(_ parent: NodeID) throws -> Surroundings.Upstream {
        guard let node = try node(parent) else { return .gone }
        if node.exclusion.holdsChildren { return .excluded }
        if node.trees.remote != nil { return .known }
        if node.exclusion == .leftOver { return .gone }
        return node.trees.synced == nil || node.isUnanswered ? .unborn : .gone
    }

    private func downstream(
        _ parent: NodeID, for id: NodeID
    ) throws -> Surroundings.Downstream {
        guard let node = try node(parent) else { return .absent }
        guard node.trees.local != nil else {
            return node.trees.synced != nil ? .deleted : .absent
        }
        if node.exclusion.holdsChildren { return .excluded }
        return try lies(parent, below: id) ? .inside : .present
    }

    // MARK: Names

    static let longestCircle = 64

    /// Who has the name at the provider that the node has here.
    private func upstreamHolder(
        of node: StoredNode, at local: Entry
    ) throws -> (Surroundings.NameHolder, NodeID?) {
        guard !local.isBounced else { return (.nobody, nil) }
        var last: (Surroundings.NameHolder, NodeID?) = (.nobody, nil)
        let (holders, areAskers) = try holdersThere(of: local.name, in: local.parent)
        for holder in holders where holder.id != node.id {
            let stance = try areAskers ? stance(ofAsker: holder) : stance(of: holder)
            if stance != .settled {
                // A folder that is to be deleted waits for what lies in it. That must not be noted to wait for the folder, either:
                // it would be taken for what others have put there.
                let isEmptied = holder.trees.local == nil && node.trees.remote?.parent == holder.id
                let isInCircle =
                    try isEmptied || !circle(of: node.id, waitingFor: holder.id).isEmpty
                return (isInCircle ? .circle : stance, holder.id)
            }
            last = (stance, holder.id)
        }
        return last
    }

    /// Who has a name at the provider, as far as that is known; where nobody here has seen who that is, those who may have
    /// it, which is known as soon as they have asked once more: what was told of may be just that.
    func holdersThere(
        of name: String, in parent: NodeID
    ) throws -> (nodes: [StoredNode], areAskers: Bool) {
        let holders = try remoteHolders(of: name, in: parent)
        let seen = holders.filter(\.isSeen)
        if !seen.isEmpty { return (seen, false) }
        let askers = try askers(of: name, in: parent)
        return askers.isEmpty ? (holders, false) : (askers, true)
    }

    /// What becomes of who has a name at the provider, and maybe not here.
    private func stance(of holder: StoredNode) throws -> Surroundings.NameHolder {
        guard holder.trees.local != nil else {
            // It has never been here and stays, or is on its way out.
            return try holder.trees.synced == nil ? .settled : stance(ofRemoved: holder)
        }
        let place: NSFileProviderItemFields = [.filename, .parentItemIdentifier]
        return holder.changesHere.isDisjoint(with: place) ? .settled : .leaving
    }

    private func stance(ofRemoved holder: StoredNode) throws -> Surroundings.NameHolder {
        try holder.kind == .folder || isHindered(holder.id) ? .leaving : .deleted
    }

    /// The same of who may have it there.
    private func stance(ofAsker asker: StoredNode) throws -> Surroundings.NameHolder {
        guard try !isHindered(asker.id) else { return .settled }
        return asker.trees.local == nil ? try stance(ofRemoved: asker) : .leaving
    }

    /// Whether what the provider was asked for may never be done. What stands in the way of everything stands in the way of whoever
    /// waits for it, too; and who waits for somebody's word about a deletion has its name when that is given.
    private func isHindered(_ id: NodeID) throws -> Bool {
        guard let trouble = try trouble(of: id), trouble.attempts >= Self.fewAttempts else {
            return false
        }
        let error = NSError(domain: trouble.domain, code: trouble.code)
        let code = NSFileProviderError(bridging: error)?.code
        // What is never answered at all looks as if nobody could be reached.
        if trouble.attempts >= Self.manyAttempts { return true }
        return code != .notAuthenticated && code != .serverUnreachable
    }

    private static let fewAttempts = 5
    private static let manyAttempts = 20

    /// Those to which the provider gives a place; only such as lie elsewhere here.
    private func remoteHolders(of name: String, in parent: NodeID) throws -> [StoredNode] {
        let holders: [NodeID] = try db.all(
            "SELECT id FROM node WHERE remoteParent = ? AND remoteKey = ? LIMIT 2", parent,
            rule.collisionKey(of: name)
        ) { row throws(SQLiteError) in try row[0] }
        return try holders.compactMap { try node($0) }
    }

    /// Who has the name here that the node has at the provider.
    private func downstreamHolder(
        of remote: Entry, for node: StoredNode
    ) throws -> (Surroundings.NameHolder, NodeID?, [NodeID]) {
        // A name that no file can have is nobody's to give up.
        if CaseRule.posix.problem(with: remote.name) != nil { return (.settled, nil, []) }
        let (id, isHere) = (node.id, node.trees.local != nil)
        if !node.isSeen, let maker = try maker(of: remote, besides: id) {
            return (.leaving, maker, [])
        }
        guard let holder = try child(remote.name, of: remote.parent), holder.id != id else {
            // Also where somebody has removed what the provider is asked to make under that name: it appears for a moment,
            // as nobody knows before the answer whether it is that or somebody else's. What was never seen here would go
            // with what was removed.
            return (.nobody, nil, [])
        }
        // The provider may tell of what it has made before it answers who asked for that: the two are one. What stays
        // here has been asked for no more.
        let isBeingMade =
            holder.isUnanswered && holder.trees.synced == nil && holder.trees.remote == nil
            && holder.exclusion == .no
        if try isBeingMade && !isHindered(holder.id) { return (.leaving, holder.id, []) }
        var circle = [id]
        var current = holder
        while circle.count < Self.longestCircle {
            guard let way = try wayOut(of: current) else {
                return (current.id == holder.id ? .settled : .leaving, holder.id, [])
            }
            circle.append(current.id)
            guard let place = way.place else { return (.leaving, holder.id, []) }
            guard let next = try child(place.name, of: place.parent) else {
                // What has the name is to go into the node that wants it: into a folder that is not here
                // before it has a name, or that lies in it now.
                let isTurned =
                    try lies(place.parent, below: id)
                    && (!isHere || lies(id, below: current.id))
                if isTurned { return (.circle, holder.id, circle) }
                // It is to go into what lies below it, and cannot before that comes out, which may wait for
                // this very node.
                let isStuck = try current.id == holder.id && lies(place.parent, below: holder.id)
                return (isStuck ? .settled : .leaving, holder.id, [])
            }
            if next.id == id { return (.circle, holder.id, circle) }
            if circle.contains(next.id) { break }
            current = next
        }
        return (.leaving, holder.id, [])
    }

    /// The node of this device that an item was made for, as far as that can be told before the answer: nobody else's
    /// has its name and its date.
    private func maker(of remote: Entry, besides id: NodeID) throws -> NodeID? {
        try askers(of: remote.name, in: remote.parent).first { asker in
            try asker.id != id && asker.isUnanswered && asker.trees.remote == nil
                && asker.kind == remote.kind
                && asker.main?.attributes.areMade(asTold: remote.attributes) == true
                && !isHindered(asker.id)
        }?.id
    }

    /// Where a node is about to go from its place here; nil when it stays, and no place when it vanishes.
    private func wayOut(of node: StoredNode) throws -> (place: Entry?, Void)? {
        guard node.changesHere.isEmpty, node.exclusion == .no, let synced = node.trees.synced else {
            return nil
        }
        guard let remote = node.trees.remote else { return (nil, ()) }
        guard !remote.isAt(synced) else { return nil }
        return (remote, ())
    }

    // MARK: Children

    private func lookAtChildren(of node: StoredNode, _ found: inout Neighbours) throws {
        if node.trees.remote == nil, node.trees.local != nil {
            let news = try newsBelow(node.id)
            if news != nil {
                found.around.localChildren = .news
            } else if let child: NodeID = try db.value(
                """
                SELECT id FROM node WHERE parent = ? AND key IS NOT NULL AND excluded = 0 LIMIT 1
                """, node.id)
            {
                found.around.localChildren = .synced
                found.child = child
            } else if try hasChildren(node.id) {
                found.around.localChildren = .excluded
            }
        }
        if node.trees.local == nil || node.exclusion != .no, node.trees.remote != nil {
            if let made = try unansweredChild(of: node.id) {
                // What is seen there by now may be just that.
                found.around.remoteChildren = .synced
                found.child = made
            } else if let unseen = try remoteChild(of: node.id, isSeen: false) {
                found.around.remoteChildren = .news
                found.child = unseen
            } else if let child = try remoteChild(of: node.id, isSeen: true) {
                found.around.remoteChildren = .synced
                found.child = child
            }
        }
    }

    /// What lies in a folder here that is worth keeping it for: what the provider has never seen as it is,
    /// what waits for the folder because of that, and what was moved into it.
    private func newsBelow(_ folder: NodeID) throws -> NodeID? {
        try db.value(
            """
            SELECT id FROM node
            WHERE parent = ?1 AND key IS NOT NULL AND turn IS NOT NULL AND excluded = 0
                AND (waits = ?1 OR trees & 2 = 0 OR trees & 4 <> 0 OR edit IS NOT NULL) LIMIT 1
            """, folder)
    }

    /// What was removed from a folder, or moved out of it, while the provider was asked to make or to put it there. It keeps
    /// the folder there until it is known to be there no more. What may never be answered keeps nobody.
    private func unansweredChild(of folder: NodeID) throws -> NodeID? {
        let children: [NodeID] = try db.all(
            """
            SELECT id FROM node
            WHERE parent = ? AND key IS NULL AND remoteParent IS NULL AND unanswered & 1 <> 0
            """, folder
        ) { row throws(SQLiteError) in try row[0] }
        if let child = try children.first(where: { try !isHindered($0) }) { return child }
        return try askers(in: folder).first { asker in
            try !asker.isMovedThere && !isHindered(asker.id)
        }?.id
    }

    /// Seen is what was known to be in the folder when that was deleted here. What the provider has moved into
    /// it since then waits for it to come back.
    private func remoteChild(of folder: NodeID, isSeen: Bool) throws -> NodeID? {
        let seen = isSeen ? "trees & 2 <> 0" : "trees & 2 = 0"
        let moved = isSeen ? "waits IS NOT ?1" : "waits IS ?1"
        let elsewhere: NodeID? = try db.value(
            """
            SELECT id FROM node
            WHERE remoteParent = ?1 AND (\(seen) \(isSeen ? "AND" : "OR") \(moved)) LIMIT 1
            """, folder)
        if let elsewhere { return elsewhere }
        return try db.value(
            """
            SELECT id FROM node
            WHERE parent = ? AND key IS NOT NULL AND remoteParent IS NULL AND trees & 4 <> 0
                AND \(seen) LIMIT 1
            """, folder)
    }
}

extension StoredNode {
    /// The provider has put it elsewhere, where it is to go as soon as it can: it has done what it was asked for before that.
    fileprivate var isMovedThere: Bool {
        guard let local = trees.local, let remote = trees.remote, !remote.isAt(local) else {
            return false
        }
        return changesHere.isDisjoint(with: [.filename, .parentItemIdentifier])
    }

    /// Somebody here knows it, or has known it.
    fileprivate var isSeen: Bool { trees.local != nil || trees.synced != nil }
}
