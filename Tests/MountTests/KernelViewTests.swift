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
        view.note(.writing, to: Self.id)
        #expect(view.known(Self.id) == nil)
        view.note(node, status)
        view.note(.renaming, to: Self.id)
        view.note(.writing, to: Self.id)
        #expect(view.known(Self.id)?.doings == [.renaming, .writing])
        view.update(node, status)
        #expect(view.known(Self.id)?.doings == [])
    }

    @Test("is when it forgot the bytes of a file")
    func moments() {
        let view = KernelView(isWhole: true)
        #expect(view.wasForgotten(Self.id, since: view.moment))
        let node = StoredNode(
            id: Self.id,
            trees: NodeTrees(
                local: Entry(parent: .root, name: "a", kind: .file, content: Self.version("1"))))
        view.note(node, Self.facts(Self.version("1")).status)
        let before = view.moment
        #expect(!view.wasForgotten(Self.id, since: before))
        view.noteForgetting(bytesOf: NodeID(rawValue: 8))
        #expect(view.moment != before && !view.wasForgotten(Self.id, since: before))
        view.noteForgetting(bytesOf: Self.id)
        #expect(view.wasForgotten(Self.id, since: before))
        #expect(!view.wasForgotten(Self.id, since: view.moment))
    }
}
