import FileProvider
import FileProviderReplica
import Foundation

@testable import FileProviderHost

/// Performs steps for one node as a provider would that is always there, takes what is newer here when
/// nobody changed it there, and keeps both contents when somebody did.
struct PerfectProvider {
    private(set) var trees: NodeTrees
    /// Contents that neither side has any more, though nobody deleted them knowingly.
    private(set) var lost: Set<EntryContent> = []
    private var kept: Set<EntryContent> = []
    private var version: UInt8 = 100

    init(_ trees: NodeTrees) {
        self.trees = trees
    }

    var isDone: Bool {
        let isGone = trees.local == nil && trees.remote == nil
        return isGone || trees.isSettled && trees.local?.isBounced != true
    }

    mutating func take() -> Step {
        let step = Planner.step(for: trees, Surroundings())
        let before = trees.local?.content
        perform(step)
        if let before, before.isEdit, trees.local?.content != before, !kept.contains(before) {
            lost.insert(before)
        }
        return step
    }

    private mutating func perform(_ step: Step) {
        switch step {
        case .nothing, .wait, .modifyAside, .exclude, .download, .leaveOver, .include: break
        case .forget: trees = NodeTrees()
        case .adopt: trees.synced = trees.remote
        case .split: trees.remote = nil
        case .create, .createAgain:
            accept(trees.local)
        case .modify(let fields):
            guard let local = trees.local, var remote = trees.remote else { return }
            let isConflict =
                fields.contains(.contents) && remote.content != trees.synced?.content
            var taken = fields
            if isConflict {
                // The local content goes beside it, and the remote one stays under the name.
                kept.insert(local.content)
                taken.remove(.contents)
            }
            remote.take(taken, from: local)
            accept(remote)
        case .delete:
            let isStale = trees.remote?.content != trees.synced?.content
            if isStale {
                trees.synced = nil
            } else {
                trees = NodeTrees()
            }
        case .show: trees.local = trees.remote
        case .change(let fields), .bounce(let fields):
            guard var local = trees.local, let remote = trees.remote else { return }
            local.take(fields, from: remote)
            trees.local = local
            trees.synced = remote
        case .hide: trees = NodeTrees()
        }
        if step == .show { trees.synced = trees.remote }
    }

    /// The provider has the entry from now on, under a version of its own, and so has this side.
    private mutating func accept(_ entry: Entry?) {
        guard var entry else { return }
        if entry.content.isEdit {
            kept.insert(entry.content)
            version += 1
            entry.content = .version(Data([version]))
        }
        entry.isBounced = false
        if let synced = trees.synced, trees.local?.isBounced == true { entry.name = synced.name }
        trees = NodeTrees(local: entry, synced: entry, remote: entry)
    }
}
