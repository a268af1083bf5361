import BasketDatabase
import BasketModels
import Testing

@testable import BasketStore

@Suite("The feed")
struct FeedTests {
    /// A tree with a history: things made, renamed, moved, deleted, with folders newer than what is
    /// in them.
    private func lived() async throws -> (StoreFixture, past: [FeedReplay]) {
        let fixture = try await StoreFixture()
        // What a client knew that stopped at each moment; the first one knows nothing yet.
        var past = [FeedReplay()]
        func note() throws {
            past.append(FeedReplay(anchor: try fixture.work.anchor, items: try tree(fixture)))
        }
        try note()
        let a = try await fixture.folder("a")
        try note()
        let b = try await fixture.folder("b", in: a)
        try note()
        let c = try await fixture.folder("c", in: b)
        _ = try await fixture.file("1", in: c)
        try note()
        let two = try await fixture.file("2", in: b)
        _ = try await fixture.file("3", in: a)
        try note()
        try await fixture.modify(c, ItemChange(parent: try fixture.root))
        try note()
        try await fixture.modify(a, ItemChange(parent: c))
        try note()
        try await fixture.modify(c, ItemChange(name: "see"))
        try note()
        try await fixture.delete(two)
        try note()
        try await fixture.modify(b, ItemChange(name: "bee"))
        try await fixture.modify(a, ItemChange(name: "ay"))
        try note()
        let gone = try await fixture.folder("gone")
        _ = try await fixture.file("4", in: gone)
        try note()
        try await fixture.delete(gone)
        try note()
        return (fixture, past)
    }

    private func tree(_ fixture: StoreFixture) throws -> [ItemID: FeedReplay.Known] {
        var tree: [ItemID: FeedReplay.Known] = [:]
        try fixture.store.read { db in
            let work = try fixture.work
            try db.each(
                "SELECT id, parent, name, rank FROM item WHERE domain = ? AND deleted IS NULL AND id <> ?",
                work.id, work.trash
            ) { row throws(SQLiteError) in
                tree[try row[0]] = FeedReplay.Known(
                    parent: try row[1], name: try row[2], rank: try row[3])
                return true
            }
        }
        return tree
    }

    @Test("gives the present tree from any earlier state, in pages of any size", arguments: 1...12)
    func replay(limit: Int) async throws {
        let (fixture, past) = try await lived()
        let present = try tree(fixture)
        for var replay in past {
            try fixture.store.read { db in
                let work = try fixture.work
                for _ in 0..<100 where !replay.isCurrent {
                    try replay.readPage(limit, of: work, in: db)
                }
            }
            #expect(replay.complaints == [])
            #expect(replay.items == present)
            #expect(replay.anchor == (try fixture.work.anchor))
        }
    }

    @Test("tells each item once, at its newest place, or before that where it is needed")
    func once() async throws {
        let (fixture, _) = try await lived()
        var seen: [ItemID: Int] = [:]
        let page = try fixture.store.read { db in
            try db.feed(of: fixture.work, since: nil, limit: 100) { row throws(SQLiteError) in
                seen[try row[ItemColumn.id], default: 0] += 1
                return true
            }
        }
        #expect(!page.hasMore)
        #expect(page.count <= seen.count, "tombstones and the trash are not in a first listing")
        #expect(seen.values.allSatisfy { $0 == 1 })
        #expect(try seen.keys.allSatisfy { try !fixture.item($0).isDeleted })
    }

    @Test("puts no folder into itself on the way, though it may pass through old places")
    func noCycle() async throws {
        let fixture = try await StoreFixture()
        let outer = try await fixture.folder("outer")
        let middle = try await fixture.folder("middle", in: outer)
        let inner = try await fixture.folder("inner", in: middle)
        var replay = FeedReplay()
        try fixture.store.read { try replay.readPage(100, of: fixture.work, in: $0) }
        // outer/middle/inner becomes inner/middle/outer; then inner changes once more.
        try await fixture.modify(inner, ItemChange(parent: try fixture.root))
        try await fixture.modify(middle, ItemChange(parent: inner))
        try await fixture.modify(outer, ItemChange(parent: middle))
        try await fixture.modify(middle, ItemChange(name: "m"))
        try await fixture.modify(inner, ItemChange(name: "i"))
        for limit in [1, 2, 100] {
            var copy = replay
            try fixture.store.read { db in
                repeat { try copy.readPage(limit, of: fixture.work, in: db) } while !copy.isCurrent
            }
            #expect(copy.complaints == [])
            #expect(try copy.items == tree(fixture))
        }
    }

    @Test("looks past folders that did not change for those above them that did")
    func noCycleThroughTheUnchanged() async throws {
        let fixture = try await StoreFixture()
        let outer = try await fixture.folder("outer")
        let middle = try await fixture.folder("middle", in: outer)
        let inner = try await fixture.folder("inner", in: middle)
        var replay = FeedReplay()
        try fixture.store.read { try replay.readPage(100, of: fixture.work, in: $0) }
        // outer/middle/inner becomes middle/inner/outer, and inner itself never changes.
        try await fixture.modify(middle, ItemChange(parent: try fixture.root))
        try await fixture.modify(outer, ItemChange(parent: inner))
        try await fixture.modify(middle, ItemChange(name: "m"))
        try fixture.store.read { try replay.readPage(100, of: fixture.work, in: $0) }
        #expect(replay.complaints == [])
        #expect(try replay.items == tree(fixture))
    }

    @Test("ends where its reader has enough, and goes on from there", arguments: [1, 2, 3])
    func enough(taken: Int) async throws {
        let fixture = try await StoreFixture()
        let folder = try await fixture.folder("folder")
        _ = try await fixture.file("file", in: folder)
        try await fixture.modify(folder, ItemChange(name: "renamed"))
        var names: [String] = []
        let page = try fixture.store.read { db in
            try db.feed(of: fixture.work, since: nil, limit: 100) { row throws(SQLiteError) in
                names.append(try row[ItemColumn.name])
                return names.count < taken
            }
        }
        // The folder comes before the file, and a row that was begun is brought to its end.
        #expect(names == (taken == 1 ? ["root"] : ["root", "renamed", "file"]))
        #expect(page.hasMore == (taken == 1))
        var replay = FeedReplay()
        try fixture.store.read { db in
            let rest = try db.feed(of: fixture.work, since: page.anchor, limit: 100) { _ in true }
            #expect(rest.count == (taken == 1 ? 1 : 0), "the folder comes with its file")
            try replay.readPage(100, of: fixture.work, in: db)
        }
        #expect(replay.complaints == [])
    }

    @Test("can be listed for the first time while others write", arguments: [1, 2, 5])
    func concurrent(limit: Int) async throws {
        let fixture = try await StoreFixture()
        var folders: [ItemID] = []
        for number in 0..<12 {
            folders.append(
                try await fixture.folder("f\(number)", in: number > 3 ? folders[number - 4] : nil))
        }
        var replay = FeedReplay()
        var step = 0
        repeat {
            try fixture.store.read { try replay.readPage(limit, of: fixture.work, in: $0) }
            let folder = folders[(step * 5) % folders.count]
            if step < 10, (try? fixture.item(folder)) != nil {
                switch step % 3 {
                case 0: try await fixture.modify(folder, ItemChange(name: "renamed \(step)"))
                case 1: _ = try await fixture.file("file \(step)", in: folder)
                default: try await fixture.delete(folder)
                }
            }
            step += 1
        } while !replay.isCurrent || step < 12
        #expect(replay.complaints == [])
        #expect(try replay.items == tree(fixture))
    }

    @Test("does not go on from an anchor of another epoch or of the future")
    func expired() async throws {
        let fixture = try await StoreFixture()
        _ = try await fixture.file("file")
        let now = try fixture.work.anchor
        func read(_ anchor: Anchor) throws {
            try fixture.store.read { db in
                _ = try db.feed(of: fixture.work, since: anchor, limit: 10) { _ in true }
            }
        }
        try read(now)
        #expect(throws: StoreError.anchorExpired) {
            try read(Anchor(epoch: now.epoch + 1, rank: now.rank))
        }
        #expect(throws: StoreError.anchorAhead) {
            try read(Anchor(epoch: now.epoch, rank: now.rank + 1))
        }
        #expect(throws: StoreError.anchorAhead) {
            try read(Anchor(epoch: now.epoch, rank: 0, item: nil, listedSince: now.rank + 1))
        }
        try await fixture.change { try $0.resetAnchors(of: $1) }
        #expect(throws: StoreError.anchorExpired) { try read(now) }
        #expect(try fixture.work.anchor.epoch != now.epoch)
    }

    @Test("does not go on from before the tombstones that were forgotten, but from after them")
    func pruned() async throws {
        let fixture = try await StoreFixture()
        let folder = try await fixture.folder("folder")
        _ = try await fixture.file("file", in: folder)
        let before = try fixture.work.anchor
        try await fixture.delete(folder)
        let after = try fixture.work.anchor
        let within = Anchor(epoch: after.epoch, rank: after.rank, item: folder)
        fixture.clock.advance(.seconds(86_400 * 91))
        #expect(try await fixture.retain { try $0.forgetTombstones(RetentionPolicy()) } == 2)
        for (anchor, isKnown) in [(before, false), (within, false), (after, true)] {
            let result = Result {
                try fixture.store.read { db in
                    try db.feed(of: fixture.work, since: anchor, limit: 10) { _ in true }
                }
            }
            #expect(((try? result.get()) != nil) == isKnown, "\(anchor)")
        }
    }

    @Test("is not misled by a domain that was read before somebody else's change")
    func staleDomain() async throws {
        let fixture = try await StoreFixture()
        let stale = try fixture.work
        let first = try await fixture.file("first")
        let second = try await fixture.store.write(as: fixture.ann) {
            try $0.create(ItemCreation(parent: stale.root, name: "second", kind: .file), in: stale)
        }
        #expect(try fixture.item(second).rank == fixture.item(first).rank + 1)
        #expect(try fixture.work.rank == fixture.item(second).rank)
        #expect(try fixture.work.items == 2)
    }

    @Test(
        "reads only anchors that it wrote",
        arguments: [
            "", "1", "-", "1-1-1-1-1", "0-1", "a-0", "1-z-0", "1-1-", "zzzzzzzzzzzzzz-1", "1--1",
            "A-1",
        ])
    func garbage(text: String) {
        #expect(Anchor(text) == nil)
    }

    @Test("gives each folder of a deep tree once, though it was built from its bottom")
    func builtFromTheBottom() async throws {
        let fixture = try await StoreFixture()
        let depth = 3000
        try await fixture.change { transaction, domain in
            var below: ItemID?
            for number in 0..<depth {
                let folder = try transaction.create(
                    ItemCreation(parent: domain.root, name: "\(number)", kind: .folder),
                    in: domain)
                if let below {
                    _ = try transaction.modify(below, ItemChange(parent: folder), in: domain)
                }
                below = folder
            }
        }
        var anchor: Anchor?
        var given: [ItemID] = []
        repeat {
            let page = try fixture.store.read { db in
                try db.feed(of: fixture.work, since: anchor, limit: 100) {
                    row throws(SQLiteError) in
                    given.append(try row[ItemColumn.id])
                    return given.count % 500 != 0
                }
            }
            anchor = page.hasMore ? page.anchor : nil
        } while anchor != nil
        #expect(given.count == depth + 1)
        #expect(Set(given).count == given.count)
    }
}
