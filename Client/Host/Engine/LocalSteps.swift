import BasketSupport
import FileProvider
import FileProviderReplica
import FileProviderRules
import Foundation

/// Does what the planner says, as far as that needs nobody else.
struct LocalSteps {
    let transaction: ReplicaTransaction
    let rules: IgnoreRules
    let removals: RemovalGuard
    let open: OpenContents

    private var reader: ReplicaReader { transaction.reader }

    /// More steps than this in a row for one node would be a mistake of the plan.
    private static let mostSteps = 16

    /// Brings a node on.
    /// - Returns: how it is when the extension is needed for what is next; else nil.
    func advance(_ id: NodeID) throws -> StoredNode? {
        for _ in 0..<Self.mostSteps {
            guard let next = try outlook(for: id) else { return nil }
            if next.needsExtension { return next.node }
            try take(next)
        }
        throw HostError.badAnswer("the plan for node \(id.rawValue) has no end")
    }

    /// What can be done now for a node. When there is nothing, it is noted for whom it waits.
    func outlook(for id: NodeID) throws -> Outlook? {
        guard let found = try reader.node(id), found.turn != nil else { return nil }
        let node = try included(found)
        let neighbours = try reader.neighbours(of: node)
        let step = Planner.step(for: node, neighbours.around)
        let next = Outlook(node: node, step: step, neighbours: neighbours)
        switch step {
        case .create where try isIgnored(node), .createAside where try isIgnored(node):
            return Outlook(node: node, step: step, neighbours: neighbours, isIgnored: true)
        case .delete where try removals.holds(node, transaction):
            try transaction.hold(removalOf: id)
            return nil
        case let step where step.handsOver:
            guard open.isBeingWritten(id) else { return next }
            // Who writes wakes it, or a quiet moment does.
            try transaction.wait(id, for: NodeID(rawValue: 0))
            return nil
        case .download:
            try transaction.update(id) { $0.isWanted = true }
            try transaction.rest(id)
            return nil
        case .wait(let reason):
            // Where it goes into what lies below it, whoever wants its name may be what brings that out, now.
            if reason == .parent, neighbours.around.downstream == .inside {
                try transaction.wake(waitingFor: id)
            }
            try wait(node, for: reason, neighbours)
            return nil
        case .nothing:
            try transaction.rest(id)
            return nil
        default: return next
        }
    }

    /// Does what is next, which the extension is not needed for.
    func take(_ next: Outlook) throws {
        if next.isIgnored {
            try transaction.update(next.node.id) { $0.stay(because: .byRule) }
        } else {
            try perform(next.step, next.node, next.neighbours)
        }
    }

    /// What a rule named where it was goes to the provider where none does, and it is not thrown away.
    /// - Returns: how it is then.
    private func included(_ node: StoredNode) throws -> StoredNode {
        guard node.exclusion == .byRule, node.trees.local != nil,
            try !isNamed(node) && !reader.lies(node.id, below: .trash)
        else { return node }
        try transaction.update(node.id) { $0.include() }
        return try reader.node(node.id) ?? node
    }

    private func isNamed(_ node: StoredNode) throws -> Bool {
        let path = try reader.path(of: node.id)
        return rules.verdict(path: path, isFolder: node.kind == .folder).isIgnored
    }

    /// Only what the provider has never heard of stays here because of its name.
    private func isIgnored(_ node: StoredNode) throws -> Bool {
        guard node.trees.local != nil, node.trees.synced == nil, node.identifier == nil,
            try !node.isUnanswered && (!reader.isOffered(node.id) || reader.isArrival(node.id))
        else { return false }
        return try isNamed(node)
    }

    private func wait(
        _ node: StoredNode, for reason: Step.Reason, _ neighbours: Neighbours
    ) throws {
        let other: NodeID? =
            switch reason {
            case .parent: neighbours.parent
            case .parentThere: neighbours.parentThere
            case .children: neighbours.child
            case .name: neighbours.holder
            case .nameThere: neighbours.holderThere
            }
        guard let other, other != node.id else {
            throw HostError.badAnswer("node \(node.id.rawValue) waits for nobody")
        }
        try transaction.wait(node.id, for: other)
        if node.trees.remote?.parent == other, try reader.node(other)?.waits == node.id {
            // The folder waits for what lies in it, and that for the folder: it goes on without.
            try transaction.touch(other)
        }
        // It may be this very node that keeps the other one.
        if reason == .parent || reason == .parentThere, let parent = try reader.node(other),
            parent.trees.remote == nil || parent.trees.local == nil || parent.exclusion != .no
        {
            try transaction.touch(other)
        }
        // Nobody in a circle is ever woken: the one that can go aside is to see that there is one.
        let line = try reader.circle(of: node.id, waitingFor: other)
        if let member = try line.first(where: goesAside) { try transaction.touch(member) }
    }

    private func goesAside(_ id: NodeID) throws -> Bool {
        guard let node = try reader.node(id), let local = node.trees.local,
            node.trees.remote?.isAt(local) != true
        else { return false }
        let step = Planner.step(for: node, try reader.neighbours(of: node).around)
        return step == .modifyAside || step == .createAside
    }

    private func perform(
        _ step: Step, _ before: StoredNode, _ neighbours: Neighbours
    ) throws {
        var node = before
        switch step {
        case .forget: node.trees = NodeTrees()
        case .adopt:
            node.trees.synced = node.trees.remote
            node.agreeOnVersions()
        case .split: return try transaction.split(before)
        case .show:
            show(&node)
        case .change(let fields):
            if neighbours.around.downstreamHolder == .circle {
                return try turn(neighbours.circle)
            }
            try take(fields, &node)
        case .bounce(let fields):
            if node.trees.local == nil { show(&node) } else { try take(fields, &node) }
            try bounce(&node)
        case .hide:
            // Nobody has confirmed what was written to it.
            try transaction.rescue(before, because: "the provider does not have it any more")
            node.trees = NodeTrees()
        case .exclude:
            node.stay(because: .byFolder)
        case .leaveOver:
            node.exclusion = .leftOver
            node.loseCounterpart()
        case .include: node.include()
        default: return
        }
        try transaction.save(node, before: before)
    }

    // MARK: Appearing and changing

    private func show(_ node: inout StoredNode) {
        // What stayed here was removed since then, and this is the provider's.
        node.exclusion = .no
        node.isUnanswered = false
        node.trees.local = node.trees.remote
        node.trees.synced = node.trees.remote
        node.agreeOnVersions()
        node.size = node.remoteSize
        node.letGoOfContent()
    }

    /// Takes over what the provider has changed. Bytes that are here and are not the newest any more are
    /// kept as something to fetch the difference to, when somebody had wanted them here.
    private func take(
        _ fields: NSFileProviderItemFields, _ node: inout StoredNode
    ) throws {
        guard var local = node.trees.local, let remote = node.trees.remote else { return }
        if fields.contains(.contents) {
            let goes =
                try local.name != ReplicaReader.ignoreListName
                && reader.policy(of: node.id) == .downloadLazilyAndEvictOnRemoteUpdate
            if node.residence == .whole, let file = node.file, !goes {
                if case .version(let version) = local.content {
                    node.basis = StoredNode.Basis(file: file, version: version)
                }
                node.isWanted = true
            }
            node.file = nil
            node.isFrozen = false
            node.residence = .dataless
            node.size = node.remoteSize
        }
        // A stand-in for a name is one for its folder only.
        let isMoved = fields.contains(.parentItemIdentifier)
        local.take(isMoved ? fields.union(.filename) : fields, from: remote)
        node.trees.local = local
        node.trees.synced = remote
        node.agreeOnVersions()
    }

    /// Under the first name that nobody has.
    private func bounce(_ node: inout StoredNode) throws {
        guard let local = node.trees.local else { return }
        node.trees.local?.name = try reader.standIn(
            for: local.name, in: local.parent, for: node.id)
        node.trees.local?.isBounced = true
    }

    /// Nodes that change their places among each other do it at once.
    private func turn(_ circle: [NodeID]) throws {
        let nodes = try circle.compactMap { try reader.node($0) }
        try transaction.freeNames(of: circle)
        for before in nodes {
            var node = before
            try take([.filename, .parentItemIdentifier], &node)
            // The rest is taken when it is looked at the next time.
            if let synced = before.trees.synced, let remote = before.trees.remote {
                var agreed = synced
                agreed.take([.filename, .parentItemIdentifier], from: remote)
                node.trees.synced = agreed
                node.syncedMetadata = before.syncedMetadata
                node.syncedContentVersion = before.syncedContentVersion
            }
            try transaction.save(node, before: before)
        }
    }
}
