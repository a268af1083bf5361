import FileProvider
import FileProviderReplica

/// Decides from the three trees what is next for a node. It does nothing, remembers nothing and knows no
/// time: the same trees give the same step, also after a crash.
package enum Planner {
    /// What the provider does not take is not sent to it, as if it had not been changed.
    package static func step(for node: StoredNode, _ around: Surroundings) -> Step {
        if node.trees.local != nil {
            if node.exclusion != .no { return stay(node, around) }
            // What may have been made has to be known by its name there before it goes from there.
            if around.upstream == .excluded { return around.mayBeElsewhere ? .create : .exclude }
        }
        var trees = node.trees
        if !node.muted.isEmpty, let synced = trees.synced, var local = trees.local {
            var muted = node.muted
            // Bytes that the provider did not take are nowhere else: they stand in the way of what others do.
            if trees.remote?.content != synced.content { muted.remove(.contents) }
            local.take(muted, from: synced)
            trees.local = local
        }
        return request(node.requestedFields, after: step(for: trees, around), around)
    }

    /// What the provider wants to be sent goes with what was changed here; what it has changed itself is taken
    /// in first.
    private static func request(
        _ fields: NSFileProviderItemFields, after step: Step, _ around: Surroundings
    ) -> Step {
        switch step {
        case .nothing where !fields.isEmpty: send(fields, around)
        case .modify(let changed) where !fields.isEmpty: send(changed.union(fields), around)
        default: step
        }
    }

    package static func step(for trees: NodeTrees, _ around: Surroundings) -> Step {
        switch (trees.local, trees.synced, trees.remote) {
        // It may be there by now, and can only be deleted by a name that the provider gives.
        case (nil, .some, nil) where around.isUnanswered: askAgain(around)
        case (nil, _, nil): .forget
        case (nil, nil, .some): appear(around)
        case (nil, .some, .some): delete(around)
        case (let local?, nil, nil): create(local, around)
        case (let local?, let synced?, nil): vanish(local, synced, around)
        case (let local?, nil, let remote?): meet(local, remote, around)
        case (let local?, let synced?, let remote?): compare(local, synced, remote, around)
        }
    }

    // MARK: Only here

    /// What stays here goes from the provider, once all of it is here.
    private static func stay(_ node: StoredNode, _ around: Surroundings) -> Step {
        guard let remote = node.trees.remote else {
            if node.exclusion == .leaving { return .include }
            if node.exclusion == .leftOver, around.localChildren == .news { return .include }
            // It went there before its content had come here.
            return node.kind == .file && node.residence != .whole ? .hide : .nothing
        }
        // What nobody here has seen is not theirs to take away: it becomes another one.
        if remote.kind != node.kind || remote.content != (node.trees.synced ?? remote).content {
            return .split
        }
        switch node.kind {
        case .file: return node.residence == .whole ? .delete : .download
        case .folder where !node.isListed: return .download
        case .folder:
            switch around.remoteChildren {
            case .none, .excluded: return .delete
            case .synced: return .wait(.children)
            // Others go on with it.
            case .news: return .split
            }
        case .symlink: return .delete
        }
    }

    // MARK: New on one side

    private static func appear(_ around: Surroundings) -> Step {
        switch around.downstream {
        // A deleted folder comes back when the provider refuses to delete it with something in it.
        case .absent, .deleted, .excluded, .inside: return .wait(.parent)
        case .present: break
        }
        switch around.downstreamHolder {
        case .nobody: return .show
        case .leaving, .deleted: return .wait(.name)
        // Who has the name goes into this node: it needs another one until then.
        case .settled, .circle: return .bounce(.everything)
        }
    }

    private static func askAgain(_ around: Surroundings) -> Step {
        switch around.upstream {
        case .known: .create
        case _ where around.mayBeElsewhere: .create
        case .unborn: .wait(.parentThere)
        case .gone, .excluded: .forget
        }
    }

    private static func create(_ local: Entry, _ around: Surroundings) -> Step {
        // Others may have to wait until it has left where it was made.
        if around.mayBeElsewhere { return .create }
        guard around.upstream == .known else { return .wait(.parentThere) }
        switch around.upstreamHolder {
        // Who deletes one, or renames it, and makes another means that name. A folder above all: the provider may take
        // two of one name for the same.
        case .deleted, .leaving: return .wait(.nameThere)
        case .circle: return .createAside
        case .nobody, .settled: return .create
        }
    }

    // MARK: Gone on one side

    /// The extension decides about what has changed there meanwhile: it knows the version that was seen
    /// here. What is in a folder goes first, each for itself, so that nothing goes with it that came
    /// into it there and was never seen here.
    private static func delete(_ around: Surroundings) -> Step {
        switch around.remoteChildren {
        case .synced: .wait(.children)
        // What nobody here has seen keeps its folder: the provider says so, and it comes back.
        case .none, .news, .excluded: .delete
        }
    }

    private static func vanish(_ local: Entry, _ synced: Entry, _ around: Surroundings) -> Step {
        let isWorthKeeping: Bool
        switch local.kind {
        case .folder:
            switch around.localChildren {
            case .none: isWorthKeeping = false
            // They go too, each by its own entry in the feed, and are looked at one by one.
            case .synced: return .wait(.children)
            case .excluded: return .leaveOver
            case .news: isWorthKeeping = true
            }
        case .file, .symlink:
            // A new name alone does not bring back what somebody deleted.
            isWorthKeeping = local.content != synced.content
        }
        guard isWorthKeeping else { return .hide }
        return around.upstream == .known ? .createAgain : .wait(.parentThere)
    }

    // MARK: On both sides

    /// Both have the node, and never agreed on it: an answer to its creation was other than asked, and
    /// could not be written here because somebody had changed it again.
    private static func meet(
        _ local: Entry, _ remote: Entry, _ around: Surroundings
    ) -> Step {
        guard local.kind == remote.kind else { return .split }
        let fields = local.fields(differingFrom: remote)
        return fields.isEmpty ? .adopt : send(fields, around)
    }

    private static func compare(
        _ local: Entry, _ synced: Entry, _ remote: Entry, _ around: Surroundings
    ) -> Step {
        guard remote.kind == synced.kind else { return .split }
        let here = local.fields(differingFrom: synced)
        let there = remote.fields(differingFrom: synced)
        if here.isEmpty {
            if there.isEmpty { return local.isBounced ? unbounce(around) : .nothing }
            return apply(there, around)
        }
        // What is different from what was agreed on, and still the same on both sides, is no conflict.
        if local.fields(differingFrom: remote).isEmpty { return .adopt }
        return send(here, around)
    }

    /// With what was seen here as the base: where the provider has something newer, it decides, and its
    /// answer is written here.
    private static func send(_ fields: NSFileProviderItemFields, _ around: Surroundings) -> Step {
        if fields.contains(.parentItemIdentifier), around.upstream != .known {
            // Where it is to go may only be waiting for an answer to what it was asked before.
            let isInTheWay = around.upstream == .unborn && around.upstreamHolder == .circle
            return isInTheWay ? .modifyAside : .wait(.parentThere)
        }
        if fields.contains(.filename) || fields.contains(.parentItemIdentifier) {
            switch around.upstreamHolder {
            // A name that stays taken is the provider's to refuse, or to resolve.
            case .nobody, .settled: break
            case .leaving, .deleted: return .wait(.nameThere)
            case .circle: return .modifyAside
            }
        }
        return .modify(fields)
    }

    private static func apply(_ fields: NSFileProviderItemFields, _ around: Surroundings) -> Step {
        guard fields.contains(.filename) || fields.contains(.parentItemIdentifier) else {
            return .change(fields)
        }
        if fields.contains(.parentItemIdentifier), around.downstream != .present {
            return .wait(.parent)
        }
        switch around.downstreamHolder {
        // Within one transaction two names can be swapped.
        case .nobody, .circle: return .change(fields)
        case .leaving, .deleted: return .wait(.name)
        case .settled: return .bounce(fields)
        }
    }

    /// Its own name is free again.
    private static func unbounce(_ around: Surroundings) -> Step {
        around.downstreamHolder == .nobody ? .change(.filename) : .nothing
    }
}

extension NSFileProviderItemFields {
    /// All that an entry can differ in.
    package static let everything: NSFileProviderItemFields = [
        .contents, .filename, .parentItemIdentifier, .lastUsedDate, .tagData, .favoriteRank,
        .creationDate, .contentModificationDate, .fileSystemFlags, .extendedAttributes,
        .typeAndCreator,
    ]
}
