import FileProvider
import FileProviderReplica
import Foundation
import Testing

@testable import FileProviderHost

/// What follows, row by row, as the design says it.
@Suite("The planner's table")
struct PlannerTableTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let kind: NodeKind
        /// Nil: it is gone on that side.
        let local: (@Sendable (inout Entry) -> Void)?
        let remote: (@Sendable (inout Entry) -> Void)?
        /// Whether both sides ever agreed on it.
        let isKnown: Bool
        let around: Surroundings
        let step: Step

        init(
            _ name: String, _ kind: NodeKind = .file,
            local: (@Sendable (inout Entry) -> Void)?, remote: (@Sendable (inout Entry) -> Void)?,
            isKnown: Bool = true,
            around: (inout Surroundings) -> Void = { _ in }, gives step: Step
        ) {
            testDescription = name
            self.kind = kind
            self.local = local
            self.remote = remote
            self.isKnown = isKnown
            var surroundings = Surroundings()
            around(&surroundings)
            self.around = surroundings
            self.step = step
        }

        var trees: NodeTrees {
            let base = PlannerSpace.base(kind)
            func entry(_ change: (@Sendable (inout Entry) -> Void)?) -> Entry? {
                guard let change else { return nil }
                var entry = base
                change(&entry)
                return entry
            }
            return NodeTrees(
                local: entry(local), synced: isKnown ? base : nil, remote: entry(remote))
        }
    }

    private static let same: @Sendable (inout Entry) -> Void = { _ in }
    private static let written: @Sendable (inout Entry) -> Void = { $0.content = .edit(1) }
    private static let writtenThere: @Sendable (inout Entry) -> Void = {
        $0.content = .version(Data([2]))
    }
    private static let renamed: @Sendable (inout Entry) -> Void = { $0.name = "other" }
    private static let renamedThere: @Sendable (inout Entry) -> Void = { $0.name = "third" }
    private static let moved: @Sendable (inout Entry) -> Void = {
        $0.parent = NodeID(rawValue: 11)
    }
    private static let movedThere: @Sendable (inout Entry) -> Void = {
        $0.parent = NodeID(rawValue: 12)
    }
    private static let tagged: @Sendable (inout Entry) -> Void = {
        $0.attributes.tags = Data([7])
    }
    private static let taggedThere: @Sendable (inout Entry) -> Void = {
        $0.attributes.tags = Data([8])
    }

    @Test("says what follows", arguments: oneSide + bothSides + gone + names + folders + kinds)
    func row(row: Row) {
        #expect(Planner.step(for: row.trees, row.around) == row.step)
    }

    private static let oneSide = [
        Row("the same on both sides", local: same, remote: same, gives: .nothing),
        Row("new here", local: written, remote: nil, isKnown: false, gives: .create),
        Row(
            "new here, in a folder that is new, too", local: written, remote: nil, isKnown: false,
            around: { $0.upstream = .unborn }, gives: .wait(.parentThere)),
        Row("written here", local: written, remote: same, gives: .modify(.contents)),
        Row(
            "renamed and tagged here",
            local: { entry in
                renamed(&entry)
                tagged(&entry)
            }, remote: same, gives: .modify([.filename, .tagData])),
        Row("deleted here", local: nil, remote: same, gives: .delete),
        Row("new there", local: nil, remote: same, isKnown: false, gives: .show),
        Row(
            "new there, in a folder that is not here", local: nil, remote: same, isKnown: false,
            around: { $0.downstream = .absent }, gives: .wait(.parent)),
        Row("written there", local: same, remote: writtenThere, gives: .change(.contents)),
        Row("tagged there", local: same, remote: taggedThere, gives: .change(.tagData)),
        Row("deleted there", local: same, remote: nil, gives: .hide),
    ]

    private static let bothSides = [
        Row("renamed alike on both sides", local: renamed, remote: renamed, gives: .adopt),
        Row(
            "tagged here, and otherwise there", local: tagged, remote: taggedThere,
            gives: .modify(.tagData)),
        Row(
            "tagged here, renamed there", local: tagged, remote: renamedThere,
            gives: .modify(.tagData)),
        Row(
            "written on both sides", local: written, remote: writtenThere, gives: .modify(.contents)
        ),
        Row(
            "written here, renamed there", local: written, remote: renamedThere,
            gives: .modify(.contents)),
        Row(
            "renamed here, written there", local: renamed, remote: writtenThere,
            gives: .modify(.filename)),
        Row(
            "moved here, and elsewhere there", local: moved, remote: movedThere,
            gives: .modify(.parentItemIdentifier)),
        Row(
            "moved here into a folder that is new", local: moved, remote: same,
            around: { $0.upstream = .unborn }, gives: .wait(.parentThere)),
        Row(
            "moved there into a folder that was deleted here", local: same, remote: moved,
            around: { $0.downstream = .deleted }, gives: .wait(.parent)),
    ]

    private static let gone = [
        Row("deleted here, written there", local: nil, remote: writtenThere, gives: .delete),
        Row("written here, deleted there", local: written, remote: nil, gives: .createAgain),
        Row("renamed here, deleted there", local: renamed, remote: nil, gives: .hide),
        Row("deleted on both sides", local: nil, remote: nil, gives: .forget),
        Row(
            "removed here while it was being made", local: nil, remote: nil,
            around: { $0.isUnanswered = true }, gives: .create),
        Row(
            "written here, deleted there with its folder", local: written, remote: nil,
            around: { $0.upstream = .gone }, gives: .wait(.parentThere)),
    ]

    private static let names = [
        Row(
            "renamed here to a name that somebody keeps there", local: renamed, remote: same,
            around: { $0.upstreamHolder = .settled }, gives: .modify(.filename)),
        Row(
            "renamed here to a name that becomes free there", local: renamed, remote: same,
            around: { $0.upstreamHolder = .leaving }, gives: .wait(.nameThere)),
        Row(
            "made here under the name of a file that was deleted here", local: same, remote: nil,
            isKnown: false, around: { $0.upstreamHolder = .deleted }, gives: .wait(.nameThere)),
        Row(
            "made here under a name that somebody is to leave there", local: same, remote: nil,
            isKnown: false, around: { $0.upstreamHolder = .leaving }, gives: .wait(.nameThere)),
        Row(
            "a folder that is made here under a name that somebody is to leave there",
            .folder, local: same, remote: nil, isKnown: false,
            around: { $0.upstreamHolder = .leaving }, gives: .wait(.nameThere)),
        Row(
            "a folder that is made here under the name of one that others are to leave",
            .folder, local: same, remote: nil, isKnown: false,
            around: { $0.upstreamHolder = .circle }, gives: .createAside),
        Row(
            "moved here into a folder that is to be made under its name there", local: moved,
            remote: same,
            around: { around in
                (around.upstream, around.upstreamHolder) = (.unborn, .circle)
            }, gives: .modifyAside),
        Row(
            "has changed names with another one here", local: renamed, remote: same,
            around: { $0.upstreamHolder = .circle }, gives: .modifyAside),
        Row(
            "renamed there to a name that somebody keeps here", local: same, remote: renamedThere,
            around: { $0.downstreamHolder = .settled }, gives: .bounce(.filename)),
        Row(
            "renamed there to a name that becomes free here", local: same, remote: renamedThere,
            around: { $0.downstreamHolder = .leaving }, gives: .wait(.name)),
        Row(
            "has changed names with another one there", local: same, remote: renamedThere,
            around: { $0.downstreamHolder = .circle }, gives: .change(.filename)),
        Row(
            "new there, under a name that somebody keeps here", local: nil, remote: same,
            isKnown: false, around: { $0.downstreamHolder = .settled }, gives: .bounce(.everything)),
        Row(
            "under another name here, while its own is taken",
            local: { entry in
                entry.name = "name 2"
                entry.isBounced = true
            }, remote: same, around: { $0.downstreamHolder = .settled }, gives: .nothing),
        Row(
            "under another name here, and written to",
            local: { entry in
                entry.name = "name 2"
                entry.isBounced = true
                entry.content = .edit(1)
            }, remote: same, around: { $0.downstreamHolder = .settled }, gives: .modify(.contents)),
        Row(
            "under another name here, once its own is free",
            local: { entry in
                entry.name = "name 2"
                entry.isBounced = true
            }, remote: same, gives: .change(.filename)),
        Row(
            "renamed here in its case alone", local: { $0.name = "NAME" }, remote: same,
            gives: .modify(.filename)),
        Row(
            "renamed there in its case alone", local: same, remote: { $0.name = "NAME" },
            gives: .change(.filename)),
    ]

    private static let folders = [
        Row("a folder deleted here", .folder, local: nil, remote: same, gives: .delete),
        Row(
            "a folder deleted here with what is in it", .folder, local: nil, remote: same,
            around: { $0.remoteChildren = .synced }, gives: .wait(.children)),
        Row(
            "a folder deleted here, into which something came there", .folder, local: nil,
            remote: same, around: { $0.remoteChildren = .news }, gives: .delete),
        Row(
            "a folder deleted there with what is in it", .folder, local: same, remote: nil,
            around: { $0.localChildren = .synced }, gives: .wait(.children)),
        Row(
            "a folder deleted there, into which something came here", .folder, local: same,
            remote: nil, around: { $0.localChildren = .news }, gives: .createAgain),
        Row(
            "a folder deleted there, in which something stays here", .folder, local: same,
            remote: nil, around: { $0.localChildren = .excluded }, gives: .leaveOver),
        Row(
            "a folder that was moved here into the other, and that into it there", .folder,
            local: same, remote: moved, around: { $0.downstream = .inside }, gives: .wait(.parent)),
        Row(
            "the other one of the two", .folder, local: moved, remote: same,
            gives: .modify(.parentItemIdentifier)),
    ]

    private static let kinds = [
        Row(
            "a file that is a folder there now", local: same,
            remote: { $0 = PlannerSpace.base(.folder) }, gives: .split),
        Row(
            "a file that was written here, and is a symlink there now", local: written,
            remote: { $0 = PlannerSpace.base(.symlink) }, gives: .split),
        Row(
            "a symlink that is a file there now", .symlink, local: same,
            remote: { $0 = PlannerSpace.base(.file) }, gives: .split),
        Row(
            "a symlink that leads elsewhere here", .symlink,
            local: { $0.content = .target("elsewhere") }, remote: same, gives: .modify(.contents)),
        Row(
            "a symlink that leads elsewhere there", .symlink, local: same,
            remote: { $0.content = .target("elsewhere") }, gives: .change(.contents)),
        Row(
            "a file that was made here and is another thing there", local: written,
            remote: { $0 = PlannerSpace.base(.folder) }, isKnown: false, gives: .split),
    ]
}
