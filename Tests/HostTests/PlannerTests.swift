import FileProvider
import FileProviderReplica
import Testing

@testable import FileProviderHost

/// Every combination of three trees and of what is around them.
@Suite("The plan")
struct PlannerTests {
    private static let cases = PlannerCase.all

    private func check(
        _ comment: String, _ holds: (PlannerCase, Step) -> Bool
    ) {
        var broken = 0
        for known in Self.cases {
            let step = Planner.step(for: known.trees, known.around)
            if holds(known, step) { continue }
            broken += 1
            if broken <= 3 { Issue.record("\(comment): \(known) gives \(step)") }
        }
        #expect(broken == 0)
        #expect(Self.cases.count > 100_000)
    }

    @Test("is nothing where all agree, whatever is around")
    func settled() {
        check("settled") { known, step in
            guard known.trees.isSettled else { return step != .nothing }
            let isBounced = known.trees.local?.isBounced == true
            return step == .nothing
                || isBounced && step == .change(.filename)
                    && known.around.downstreamHolder == .nobody
        }
    }

    @Test("never takes away or overwrites what only this device has")
    func keepsEdits() {
        check("edits") { known, step in
            guard let local = known.trees.local, local.content.isEdit else { return true }
            return switch step {
            case .hide, .forget, .show, .delete: false
            case .change(let fields), .bounce(let fields): !fields.contains(.contents)
            default: true
            }
        }
    }

    @Test("hides only what the provider deleted, and nothing with somebody's news in it")
    func hides() {
        check("hide") { known, step in
            guard step == .hide else { return true }
            return known.trees.remote == nil && known.trees.synced != nil
                && known.around.localChildren == .none
        }
    }

    @Test("deletes at the provider only what was there and was deleted here, empty folders alone")
    func deletes() {
        check("delete") { known, step in
            guard step == .delete else { return true }
            return known.trees.local == nil && known.trees.synced != nil
                && known.trees.remote != nil && known.around.remoteChildren != .synced
        }
    }

    @Test("creates only what the provider does not have")
    func creates() {
        check("create") { known, step in
            switch step {
            case .create: known.trees.remote == nil && known.trees.synced == nil
            case .createAgain: known.trees.remote == nil && known.trees.synced != nil
            default: true
            }
        }
    }

    @Test("sends exactly what was changed here, and no stand-in for a name")
    func sends() {
        check("modify") { known, step in
            guard case .modify(let fields) = step, let local = known.trees.local,
                let base = known.trees.synced ?? known.trees.remote
            else {
                if case .modify = step { return false }
                return true
            }
            return !fields.isEmpty && fields == local.fields(differingFrom: base)
                && !(local.isBounced && fields.contains(.filename))
        }
    }

    @Test("sends nothing into a folder that the provider does not have")
    func parentsFirst() {
        check("parents") { known, step in
            guard known.around.upstream != .known else { return true }
            return switch step {
            case .create, .createAgain: false
            case .modify(let fields): !fields.contains(.parentItemIdentifier)
            default: true
            }
        }
    }

    @Test("puts nothing into a folder that is not here, or into itself")
    func placesHere() {
        check("places") { known, step in
            guard known.around.downstream != .present else { return true }
            return switch step {
            case .show: false
            case .change(let fields), .bounce(let fields):
                !fields.contains(.parentItemIdentifier)
            default: true
            }
        }
    }

    @Test("gives no name here that another node keeps")
    func names() {
        check("names") { known, step in
            guard known.around.downstreamHolder == .settled else { return true }
            return switch step {
            case .show: false
            case .change(let fields): fields.isDisjoint(with: [.filename, .parentItemIdentifier])
            default: true
            }
        }
    }

    @Test("waits only for what is there to wait for")
    func waits() {
        check("waits") { known, step in
            guard case .wait(let reason) = step else { return true }
            let around = known.around
            return switch reason {
            case .parentThere: around.upstream != .known
            case .parent: around.downstream != .present
            case .children:
                around.localChildren == .synced || around.remoteChildren == .synced
            case .name:
                around.downstreamHolder == .leaving || around.downstreamHolder == .circle
            case .nameThere: around.upstreamHolder == .leaving
            }
        }
    }

    @Test("takes what stays here from the provider, only once all of it is here")
    func exclusion() {
        check("exclusion") { known, _ in
            guard let local = known.trees.local else { return true }
            return StoredNode.Residence.everyOne.allSatisfy { residence in
                var node = StoredNode(id: NodeID(rawValue: 9), trees: known.trees)
                node.exclusion = .byRule
                node.residence = residence
                node.isListed = true
                return switch Planner.step(for: node, known.around) {
                case .nothing:
                    known.trees.remote == nil && (local.kind != .file || residence == .whole)
                case .hide: known.trees.remote == nil && local.kind == .file && residence != .whole
                case .download: local.kind == .file && residence != .whole
                case .delete:
                    known.trees.remote != nil
                        && (local.kind == .file
                            ? residence == .whole
                            : [.none, .excluded].contains(known.around.remoteChildren))
                case .wait(.children): local.kind == .folder
                case .split:
                    known.trees.remote?.content != known.trees.synced?.content
                        || known.around.remoteChildren == .news
                default: false
                }
            }
        }
    }

    @Test("makes again what is leaving no more, once it is gone at the provider, and not before")
    func leaving() {
        check("leaving") { known, _ in
            guard known.trees.local != nil else { return true }
            var node = StoredNode(id: NodeID(rawValue: 9), trees: known.trees)
            node.exclusion = .leaving
            node.residence = .whole
            node.isListed = true
            let step = Planner.step(for: node, known.around)
            return (step == .include) == (known.trees.remote == nil) && !node.isSettled
        }
    }

    @Test("keeps here what lies in a folder that stays here, and takes that back with it")
    func excludedFolder() {
        check("excluded folder") { known, _ in
            var node = StoredNode(id: NodeID(rawValue: 9), trees: known.trees)
            node.residence = .whole
            let step = Planner.step(for: node, known.around)
            let isExcluded = known.trees.local != nil && known.around.upstream == .excluded
            return (step == .exclude) == isExcluded
        }
    }

    @Test("leads to one state for all three trees, in a few steps")
    func converges() {
        for known in Self.cases where known.around == Surroundings() {
            var provider = PerfectProvider(known.trees)
            var steps: [Step] = []
            while !provider.isDone, steps.count < 8 { steps.append(provider.take()) }
            #expect(provider.isDone, "\(known.trees) after \(steps)")
            #expect(provider.lost.isEmpty, "\(known.trees) lost \(provider.lost) by \(steps)")
        }
    }
}

extension StoredNode.Residence {
    fileprivate static let everyOne: [Self] = [.dataless, .partial, .whole]
}
