import FileProvider
import FileProviderReplica
import Foundation

@testable import FileProviderHost

/// Performs steps for one node as a provider would that is always there, takes what is newer here when
/// nobody changed it there, and keeps both contents when somebody did. Whatever the node waits for comes about.
struct PerfectProvider {
    private(set) var known: PlannerCase
    /// Contents that neither side has any more, though nobody deleted them knowingly.
    private(set) var lost: Set<EntryContent> = []
    private var kept: Set<EntryContent> = []
    private var version: UInt8 = 100

    init(_ known: PlannerCase) {
        self.known = known
    }

    var trees: NodeTrees { known.trees }
    private var isGone: Bool { trees.local == nil && trees.remote == nil && trees.synced == nil }

    /// Nothing is left to do.
    var isDone: Bool { isGone || known.step == .nothing && known.node.isSettled }

    mutating func take() -> Step {
        let step = known.step
        let before = trees.local?.content
        perform(step)
        if let before, before.isEdit, trees.local?.content != before, !kept.contains(before) {
            lost.insert(before)
        }
        return step
    }

    private mutating func perform(_ step: Step) {
        switch step {
        case .nothing: break
        case .wait(let reason): resolve(reason)
        case .forget, .hide: known.node.trees = NodeTrees()
        case .adopt: known.node.trees.synced = trees.remote
        case .split:
            known.node.trees.remote = nil
            if known.node.exclusion != .no { known.node.loseCounterpart() }
        case .create, .createAgain: accept(trees.local ?? trees.synced)
        case .createAside:
            accept(trees.local)
            known.node.trees.remote?.name = "aside"
            known.node.trees.synced?.name = "aside"
            known.around.upstreamHolder = .leaving
        case .modify(let fields): modify(fields)
        case .modifyAside:
            known.node.trees.remote?.name = "aside"
            known.node.trees.synced?.name = "aside"
            known.around.upstreamHolder = .nobody
        case .delete: delete()
        case .show, .change, .bounce: takeOver(step)
        case .exclude: known.node.exclusion = .byFolder
        case .leaveOver:
            known.node.exclusion = .leftOver
            known.node.loseCounterpart()
        case .include: known.node.include()
        case .download:
            known.node.residence = .whole
            known.node.isListed = true
        }
    }

    private mutating func resolve(_ reason: Step.Reason) {
        switch reason {
        case .parent: known.around.downstream = .present
        case .parentThere: known.around.upstream = .known
        case .children:
            known.around.localChildren = .none
            known.around.remoteChildren = .none
        case .name: known.around.downstreamHolder = .nobody
        case .nameThere: known.around.upstreamHolder = .nobody
        }
    }

    private mutating func modify(_ fields: NSFileProviderItemFields) {
        guard let local = trees.local, var remote = trees.remote else { return }
        let isConflict =
            fields.contains(.contents) && trees.synced != nil
            && remote.content != trees.synced?.content
        var taken = fields
        if isConflict {
            // The local content goes beside it, and the remote one stays under the name.
            kept.insert(local.content)
            taken.remove(.contents)
        }
        remote.take(taken, from: local)
        known.node.request.settle(fields)
        accept(remote)
    }

    private mutating func delete() {
        if known.node.exclusion != .no {
            known.node.trees.remote = nil
            known.node.loseCounterpart()
            known.around.isUnanswered = false
        } else if let remote = trees.remote, remote.content != trees.synced?.content {
            // It is refused, and comes back.
            known.node.trees = NodeTrees(remote: remote)
        } else {
            known.node.trees = NodeTrees()
        }
    }

    private mutating func takeOver(_ step: Step) {
        guard let remote = trees.remote else { return }
        var isBounced = false
        switch step {
        case .change(let fields): known.node.trees.local?.take(fields, from: remote)
        case .bounce(let fields):
            if trees.local == nil { known.node.trees.local = remote }
            known.node.trees.local?.take(fields, from: remote)
            isBounced = true
        default: known.node.trees.local = remote
        }
        if isBounced {
            known.node.trees.local?.name = "name 3"
            known.node.trees.local?.isBounced = true
        }
        known.node.trees.synced = remote
    }

    /// The provider has the entry from now on, under a version of its own, and so has this side.
    private mutating func accept(_ entry: Entry?) {
        guard var entry else { return }
        // What it left for later stays here, and is nowhere else.
        let unsent = trees.local.map(\.content).flatMap { content in
            content.isEdit && known.node.muted.contains(.contents) && content != entry.content
                && !kept.contains(content) ? content : nil
        }
        if entry.content.isEdit {
            kept.insert(entry.content)
            version += 1
            entry.content = .version(Data([version]))
        }
        entry.isBounced = false
        if trees.local?.isBounced == true { entry.name = trees.synced?.name ?? entry.name }
        known.around.isUnanswered = false
        known.around.mayBeElsewhere = false
        known.node.isUnanswered = false
        // What was removed here meanwhile is deleted next.
        known.node.trees = NodeTrees(
            local: trees.local == nil ? nil : entry, synced: entry, remote: entry)
        if let unsent { known.node.trees.local?.content = unsent }
    }
}
