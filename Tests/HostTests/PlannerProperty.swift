import FileProvider
import FileProviderReplica

@testable import FileProviderHost

/// What holds of every plan.
enum PlannerProperty: CaseIterable {
    case restsWhereAllAgree
    case leavesNothingUndone
    case keepsEdits
    case overwritesOnlyWhatWasAgreed
    case hidesOnlyWhatIsGoneThere
    case deletesOnlyWhatWasSeen
    case createsOnlyWhatIsMissing
    case sendsExactlyTheChanges
    case sendsWhatIsRequested
    case sendsParentsFirst
    case placesInWhatIsHere
    case takesNoName
    case waitsForSomething
    case adoptsOnlyTheSame
    case keepsExcludedFromProvider
    case followsExcludedFolders
    case asksForUnanswered
    case looksAtNothingElse

    func holds(_ known: PlannerCase, _ step: Step) -> Bool {
        switch self {
        case .restsWhereAllAgree: rests(known, step)
        case .leavesNothingUndone: leavesNothing(known, step)
        case .keepsEdits: keepsEdits(known, step)
        case .overwritesOnlyWhatWasAgreed: overwrites(known, step)
        case .hidesOnlyWhatIsGoneThere: hides(known, step)
        case .deletesOnlyWhatWasSeen: deletes(known, step)
        case .createsOnlyWhatIsMissing: creates(known, step)
        case .sendsExactlyTheChanges: sends(known, step)
        case .sendsWhatIsRequested: requests(known, step)
        case .sendsParentsFirst: parents(known, step)
        case .placesInWhatIsHere: places(known, step)
        case .takesNoName: names(known, step)
        case .waitsForSomething: waits(known, step)
        case .adoptsOnlyTheSame: adopts(known, step)
        case .keepsExcludedFromProvider: keepsExcluded(known, step)
        case .followsExcludedFolders: follows(known, step)
        case .asksForUnanswered: asks(known, step)
        case .looksAtNothingElse: ignores(known, step)
        }
    }

    /// As the planner sees it: what the provider does not take is no change, but for bytes that others would go over.
    private func local(_ known: PlannerCase) -> Entry? {
        var local = known.trees.local
        guard let synced = known.trees.synced else { return local }
        let isSameThere = known.trees.remote?.content == synced.content
        local?.take(known.node.muted.subtracting(isSameThere ? [] : .contents), from: synced)
        return local
    }

    private func rests(_ known: PlannerCase, _ step: Step) -> Bool {
        guard known.node.isSettled else { return true }
        if known.node.exclusion == .no {
            if known.around.upstream == .excluded { return step == .exclude }
            if known.trees.local?.isBounced == true,
                known.around.downstreamHolder == .nobody
            {
                return step == .change(.filename)
            }
        } else if known.node.exclusion == .leftOver, known.around.localChildren == .news {
            return step == .include
        }
        return step == .nothing
    }

    /// Nobody looks at a node again that has nothing to do.
    private func leavesNothing(_ known: PlannerCase, _ step: Step) -> Bool {
        step != .nothing || known.node.isSettled
    }

    private func keepsEdits(_ known: PlannerCase, _ step: Step) -> Bool {
        guard let local = known.trees.local, local.content.isEdit else { return true }
        return switch step {
        case .hide, .forget, .show: false
        case .delete: known.node.exclusion != .no
        case .change(let fields), .bounce(let fields): !fields.contains(.contents)
        default: true
        }
    }

    private func overwrites(_ known: PlannerCase, _ step: Step) -> Bool {
        guard let local = known.trees.local else { return true }
        return switch step {
        case .change(let fields), .bounce(let fields):
            !fields.contains(.contents) || local.content == known.trees.synced?.content
        case .show, .forget: false
        default: true
        }
    }

    private func hides(_ known: PlannerCase, _ step: Step) -> Bool {
        guard step == .hide else { return true }
        if known.node.exclusion != .no {
            return known.trees.remote == nil && known.node.kind == .file
                && known.node.residence != .whole
        }
        return known.trees.remote == nil && known.trees.synced != nil
            && known.around.localChildren == .none
            && (known.node.kind == .folder
                || known.trees.local?.content == known.trees.synced?.content)
    }

    private func deletes(_ known: PlannerCase, _ step: Step) -> Bool {
        guard step == .delete else { return true }
        guard let remote = known.trees.remote, known.around.remoteChildren != .synced else {
            return false
        }
        guard known.node.exclusion != .no else {
            // With what was seen as its base: the provider refuses it when it has something newer.
            return known.trees.local == nil && known.trees.synced != nil
        }
        return known.trees.local != nil && known.around.remoteChildren != .news
            && (known.node.kind != .file || known.node.residence == .whole)
            && (known.node.kind != .folder || known.node.isListed)
            && known.node.kind == remote.kind
            && known.trees.synced.map { $0.content == remote.content } ?? true
    }

    private func creates(_ known: PlannerCase, _ step: Step) -> Bool {
        let isAsked = known.trees.local == nil && known.around.isUnanswered
        return switch step {
        case .create:
            known.trees.remote == nil && (known.trees.synced == nil || isAsked)
        case .createAside:
            known.trees.local != nil && known.trees.synced == nil && known.trees.remote == nil
                && known.around.upstreamHolder == .circle
        case .createAgain: known.trees.remote == nil && known.trees.synced != nil
        default: true
        }
    }

    private func sends(_ known: PlannerCase, _ step: Step) -> Bool {
        guard case .modify(let fields) = step else { return true }
        guard let local = local(known), let base = known.trees.synced ?? known.trees.remote else {
            return false
        }
        let asked = known.node.requestedFields
        let changed = local.fields(differingFrom: base)
        return !fields.isEmpty && fields == changed.union(asked)
            && !(local.isBounced && fields.subtracting(asked).contains(.filename))
    }

    private func requests(_ known: PlannerCase, _ step: Step) -> Bool {
        let asked = known.node.requestedFields
        guard !asked.isEmpty, known.trees.synced == known.trees.remote else { return true }
        switch step {
        case .modify(let fields): return fields.isSuperset(of: asked)
        case .nothing: return false
        default: return true
        }
    }

    private func parents(_ known: PlannerCase, _ step: Step) -> Bool {
        // What may have been made in another folder is asked for there.
        guard known.around.upstream != .known, !known.around.mayBeElsewhere else { return true }
        return switch step {
        case .create, .createAside, .createAgain: false
        case .modify(let fields): !fields.contains(.parentItemIdentifier)
        default: true
        }
    }

    private func places(_ known: PlannerCase, _ step: Step) -> Bool {
        guard known.around.downstream != .present else { return true }
        return switch step {
        case .show: false
        case .change(let fields), .bounce(let fields): !fields.contains(.parentItemIdentifier)
        default: true
        }
    }

    private func names(_ known: PlannerCase, _ step: Step) -> Bool {
        switch known.around.downstreamHolder {
        case .nobody: return true
        case .settled, .leaving, .deleted:
            return switch step {
            case .show: false
            case .change(let fields):
                fields.isDisjoint(with: [.filename, .parentItemIdentifier])
            default: true
            }
        case .circle: return step != .show
        }
    }

    private func waits(_ known: PlannerCase, _ step: Step) -> Bool {
        guard case .wait(let reason) = step else { return true }
        let around = known.around
        return switch reason {
        case .parentThere: around.upstream != .known
        case .parent: around.downstream != .present
        case .children: around.localChildren == .synced || around.remoteChildren == .synced
        case .name: [.leaving, .deleted].contains(around.downstreamHolder)
        case .nameThere: [.leaving, .deleted].contains(around.upstreamHolder)
        }
    }

    private func adopts(_ known: PlannerCase, _ step: Step) -> Bool {
        guard step == .adopt else { return true }
        guard let local = local(known), let remote = known.trees.remote else { return false }
        return local.fields(differingFrom: remote).isEmpty && local.kind == remote.kind
    }

    private func keepsExcluded(_ known: PlannerCase, _ step: Step) -> Bool {
        guard known.trees.local != nil, known.node.exclusion != .no else { return true }
        return switch step {
        case .nothing: known.trees.remote == nil && known.node.isSettled
        case .include:
            known.trees.remote == nil && [.leaving, .leftOver].contains(known.node.exclusion)
        case .hide, .delete: true
        case .download:
            known.node.kind == .file
                ? known.node.residence != .whole
                : known.node.kind == .folder && !known.node.isListed
        case .wait(.children): known.node.kind == .folder
        case .split:
            known.trees.remote?.kind != known.node.kind
                || known.trees.remote?.content != known.trees.synced?.content
                || known.around.remoteChildren == .news
        default: false
        }
    }

    private func follows(_ known: PlannerCase, _ step: Step) -> Bool {
        let isInside =
            known.trees.local != nil && known.node.exclusion == .no
            && known.around.upstream == .excluded
        if isInside, known.around.mayBeElsewhere { return step == .create }
        return (step == .exclude) == isInside
    }

    /// What the provider may have made is asked for until it is known what became of it.
    private func asks(_ known: PlannerCase, _ step: Step) -> Bool {
        guard known.trees.local == nil, known.trees.remote == nil, known.trees.synced != nil,
            known.around.isUnanswered
        else { return true }
        return known.around.upstream == .known || known.around.mayBeElsewhere
            ? step == .create : step != .nothing
    }

    private func ignores(_ known: PlannerCase, _ step: Step) -> Bool {
        var other = known
        other.node.isFrozen.toggle()
        other.node.isWanted.toggle()
        other.node.size += 1
        other.node.turn = 5
        other.node.waits = .root
        return other.step == step
    }
}
