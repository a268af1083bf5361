import BasketSupport
import FileProvider
import FileProviderReplica
import Foundation
import Testing

@testable import FileProviderMount

@Suite("What is remembered of what the kernel was told")
struct KernelViewTests {
    private static let id = NodeID(rawValue: 7)

    private static func facts(
        _ content: EntryContent, file: Int64? = nil, over base: EntryContent? = nil
    ) -> KernelView.Facts {
        func entry(_ content: EntryContent) -> Entry {
            Entry(parent: .root, name: "file", kind: .file, content: content)
        }
        var node = StoredNode(
            id: id, trees: NodeTrees(local: entry(content), synced: base.map(entry)))
        node.file = file
        let status = FileStatus(
            node: 7, kind: .file, permissions: 0o644, size: 1, stored: 1, links: 1, user: 0,
            group: 0, accessed: .never, modified: .never, changed: .never)
        return KernelView.Facts(node, status)
    }

    private static func version(_ name: String) -> EntryContent { .version(Data(name.utf8)) }

    @Test("has it forget bytes where others have changed them, and not where it wrote them itself")
    func bytes() {
        let (first, second) = (
            Self.facts(Self.version("1"), file: 1), Self.facts(Self.version("2"))
        )
        #expect(second.differsInBytes(from: first))
        #expect(!first.differsInBytes(from: first))
        // It was written to, and then sent.
        let edit = Self.facts(.edit(3), file: 2, over: Self.version("1"))
        #expect(!edit.differsInBytes(from: first))
        #expect(!Self.facts(Self.version("3"), file: 2).differsInBytes(from: edit))
        #expect(Self.facts(Self.version("3"), file: 4).differsInBytes(from: edit))
        // It was written to after others had changed it.
        #expect(
            Self.facts(.edit(3), file: 2, over: Self.version("2")).differsInBytes(from: first))
    }

    @Test("is not that it has the new bytes because it was told of the new size")
    func told() {
        let (first, second) = (
            Self.facts(Self.version("1"), file: 1), Self.facts(Self.version("2"))
        )
        var known = first
        known.take(statusOf: second)
        #expect(second.differsInBytes(from: known))
        known = first
        known.take(statusOf: Self.facts(.edit(3), file: 2, over: Self.version("1")))
        #expect(!Self.facts(Self.version("3"), file: 2).differsInBytes(from: known))
    }

    @Test("is, but for what it has done itself since then")
    func doings() {
        var told = Self.facts(Self.version("1"), file: 1).status
        var now = told
        now.changed = Timestamp(seconds: 5)
        #expect(KernelDoings().applied(to: told, now: now) != now)
        #expect(KernelDoings.renaming.applied(to: told, now: now) == now)
        (now.size, now.stored) = (2, 2)
        (now.modified, now.accessed) = (Timestamp(seconds: 5), Timestamp(seconds: 5))
        #expect(KernelDoings.renaming.applied(to: told, now: now) != now)
        #expect(KernelDoings.writing.applied(to: told, now: now) == now)
        // What others have changed meanwhile, it has to be told.
        now.permissions = 0o600
        #expect(KernelDoings.writing.applied(to: told, now: now) != now)
        told = now
        #expect(KernelDoings().applied(to: told, now: now) == now)
    }

    @Test("is no more of what it has done once it was told how the node is")
    func doneAndTold() {
        let view = KernelView(isWhole: true)
        let node = StoredNode(
            id: Self.id,
            trees: NodeTrees(
                local: Entry(parent: .root, name: "file", kind: .file, content: .edit(1))))
        let status = Self.facts(.edit(1)).status
        view.note(.writing, to: 7)
        #expect(view.known(7) == nil)
        view.note(node, status, as: 7)
        view.note(.renaming, to: 7)
        view.note(.writing, to: 7)
        #expect(view.known(7)?.doings == [.renaming, .writing])
        view.update(node, status, as: 7)
        #expect(view.known(7)?.doings == [])
    }

    private static func node(_ version: String, file: Int64) -> StoredNode {
        var node = StoredNode(
            id: id,
            trees: NodeTrees(
                local: Entry(
                    parent: .root, name: "a", kind: .file, content: Self.version(version))))
        node.file = file
        return node
    }

    @Test("is whether the bytes that it has are those that somebody is about to read")
    func holds() throws {
        let view = KernelView(isWhole: true)
        let node = Self.node("1", file: 1)
        let (first, second) = (
            try #require(SeenContent(node)), try #require(SeenContent(Self.node("2", file: 2)))
        )
        #expect(!view.holds(first, as: 7))
        view.note(node, Self.facts(Self.version("1")).status, as: 7)
        #expect(view.holds(first, as: 7))
        #expect(!view.holds(second, as: 7))
        // As long as it is still to forget what it has, nobody may read it.
        view.beginForgetting(bytesOf: 7)
        view.beginForgetting(bytesOf: 7)
        view.endForgetting(bytesOf: 7)
        #expect(!view.holds(first, as: 7))
        view.endForgetting(bytesOf: 7)
        view.endForgetting(bytesOf: 7)
        #expect(view.holds(first, as: 7))
        #expect(view.forget(7, times: 1))
        #expect(!view.holds(first, as: 7))
    }

    /// It is told that the file is so long.
    private static func tell(_ view: KernelView, _ length: Int64) {
        var status = facts(version("1")).status
        status.size = length
        view.note(node("1", file: 1), status, as: 7)
    }

    private static func open(
        _ view: KernelView, _ length: Int64, by thread: Int32, at seconds: Int = 0
    ) -> KernelView.LengthAtOpening {
        view.open(7, length, by: thread, at: .seconds(seconds))
    }

    @Test("is whether it may take a file that somebody opens for longer than that is")
    func lengths() {
        let view = KernelView(isWhole: true)
        Self.tell(view, 10)
        #expect(Self.open(view, 10, by: 1) == .isKnown)
        #expect(Self.open(view, 11, by: 1) == .isKnown)
        Self.tell(view, 5)
        // It may have taken the two in either order. Another thread has not looked once more by that.
        #expect(Self.open(view, 5, by: 1) == .isDoubtful)
        Self.tell(view, 5)
        #expect(Self.open(view, 5, by: 2) == .isDoubtful)
        #expect(Self.open(view, 5, by: 1) == .isKnown)
        #expect(Self.open(view, 5, by: 3) == .isKnown)
        // What it writes itself, it knows.
        view.noteWritten(upTo: 20, of: 7)
        #expect(Self.open(view, 5, by: 4) == .isDoubtful)
        view.noteCut(to: 5, of: 7)
        #expect(Self.open(view, 5, by: 5) == .isKnown)
    }

    @Test("is that it may still, where the file has changed since somebody was to look once more")
    func lengthsThatChange() {
        let view = KernelView(isWhole: true)
        Self.tell(view, 10)
        Self.tell(view, 5)
        #expect(Self.open(view, 5, by: 1) == .isDoubtful)
        Self.tell(view, 5)
        view.noteTelling(4, of: 7)
        #expect(Self.open(view, 4, by: 1) == .isStillDoubtful)
        // Nobody was told of anything.
        #expect(Self.open(view, 4, by: 1) == .isDoubtful)
        #expect(Self.open(view, 4, by: 1) == .isStillDoubtful)
        // Who comes back after so long opens it anew.
        #expect(Self.open(view, 4, by: 1) == .isDoubtful)
        Self.tell(view, 4)
        #expect(Self.open(view, 4, by: 1, at: 100) == .isDoubtful)
        Self.tell(view, 4)
        #expect(Self.open(view, 4, by: 1, at: 101) == .isKnown)
    }

    @Test("is not asked for a third time by who has looked once more")
    func lookedElsewhere() {
        let view = KernelView(isWhole: false)
        // By the name it has found another file, of which a process before this one may have told anything.
        #expect(Self.open(view, 5, by: 1) == .isDoubtful)
        #expect(view.open(8, 5, by: 1, at: .zero) == .isStillDoubtful)
        #expect(view.open(8, 5, by: 1, at: .zero) == .isDoubtful)
        // It was told so for another reason.
        view.noteLook(by: 2, at: .zero)
        #expect(Self.open(view, 5, by: 2) == .isStillDoubtful)
        // One of many that this process cannot tell apart.
        #expect(Self.open(view, 5, by: 0) == .isStillDoubtful)
    }

    @Test("is nothing where a process before this one has told it")
    func lengthsOfBefore() {
        let view = KernelView(isWhole: false)
        #expect(Self.open(view, 5, by: 1) == .isDoubtful)
        Self.tell(view, 5)
        #expect(Self.open(view, 5, by: 1) == .isKnown)
        #expect(Self.open(view, 5, by: 2) == .isKnown)
        // What it does not know, it has no length of.
        #expect(Self.open(KernelView(isWhole: true), 5, by: 1) == .isKnown)
    }
}
