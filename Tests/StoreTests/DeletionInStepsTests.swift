import BasketDatabase
import BasketModels
import BasketSupport
import Testing

@testable import BasketStore

@Suite("Deleting what is too much for one transaction")
struct DeletionInStepsTests {
    /// Fills a folder with files, folders in folders, and ones that were deleted; how many are there.
    private func fill(_ top: ItemID, _ fixture: StoreFixture, items: Int = 300) async throws -> Int
    {
        try await fixture.change { transaction, domain in
            var folders = [top]
            var dead = 0
            for number in 0..<items {
                let isFolder = number.isMultiple(of: 3)
                let id = try transaction.create(
                    ItemCreation(
                        parent: folders[number * 7919 % folders.count], name: "\(number)",
                        kind: isFolder ? .folder : .file,
                        content: isFolder ? nil : .init(text: "\(number % 5)")),
                    in: domain)
                if isFolder {
                    folders.append(id)
                } else if number.isMultiple(of: 4) {
                    try transaction.delete(
                        id.description, base: nil, recursive: false, in: domain)
                    dead += 1
                }
            }
            return items - dead
        }
    }

    /// Deletes in steps of no more than `limit`; how many there were before the rest could go at once.
    private func deleteParts(
        of name: String, limit: Int, _ fixture: StoreFixture
    ) async throws -> [Int] {
        var parts: [Int] = []
        while true {
            let count = try await fixture.change {
                try $0.deletePart(of: name, base: nil, recursive: true, limit: limit, in: $1)
            }
            if count == 0 { return parts }
            parts.append(count)
            #expect(try fixture.store.read { try StoreInvariants.broken(in: $0) } == [])
        }
    }

    /// Brings back everything in steps of no more than `limit`; how many there were.
    private func undeleteParts(limit: Int, _ fixture: StoreFixture) async throws -> Int {
        var rest = Undeletion(since: VirtualClock.start, device: nil, account: nil)
        let first = rest
        while let part = try await fixture.change({ [rest] in
            try $0.undeletePart(of: rest, limit: limit, in: $1)
        }) {
            #expect(part.restored == rest.restored + limit)
            rest = part
            #expect(try fixture.store.read { try StoreInvariants.broken(in: $0) } == [])
            #expect(try fixture.work.items == Int64(2 + rest.restored))
        }
        let whole = try await fixture.change { [rest] in try $0.undelete(rest, in: $1) }
        #expect(whole.restored - rest.restored <= limit)
        #expect(try fixture.store.read { try StoreInvariants.broken(in: $0) } == [])
        #expect(try await fixture.change { try $0.undelete(first, in: $1) }.restored == 0)
        return whole.restored
    }

    @Test(
        "goes from the inside out, comes back the other way, and leaves a whole tree after each step",
        arguments: [1, 7, 50, 120])
    func parts(limit: Int) async throws {
        let fixture = try await StoreFixture()
        let beside = try await fixture.folder("beside")
        _ = try await fixture.file("kept", in: beside)
        let top = try await fixture.folder("top")
        let count = try await fill(top, fixture)
        let anchor = try fixture.work.anchor

        let parts = try await deleteParts(of: top.description, limit: limit, fixture)
        #expect(parts.allSatisfy { $0 == limit })
        let rest = count - parts.reduce(0, +)
        #expect((1...limit).contains(rest))
        #expect(try fixture.work.items == Int64(rest + 3))
        try await fixture.delete(top)
        #expect(try fixture.work.items == 2)
        #expect(try fixture.store.read { try StoreInvariants.broken(in: $0) } == [])
        let page = try fixture.store.read { db in
            try db.feed(of: fixture.work, since: anchor, limit: 1000) { _ in true }
        }
        #expect(page.count == count + 1)

        #expect(try await undeleteParts(limit: limit, fixture) == 300 + 1)
    }

    @Test("also empties the trash, by hand and by its age", arguments: [true, false])
    func trash(isByAge: Bool) async throws {
        let fixture = try await StoreFixture()
        for name in ["a", "b"] {
            let folder = try await fixture.folder(name)
            _ = try await fill(folder, fixture, items: 100)
            try await fixture.change { try $0.trash(folder, in: $1) }
        }
        if isByAge {
            fixture.clock.advance(.seconds(100))
            let policy = RetentionPolicy(trash: .seconds(50))
            #expect(try await fixture.retain { try $0.emptyTrash(policy) } == 2)
        } else {
            #expect(try await deleteParts(of: "trash", limit: 9, fixture).count > 10)
            try await fixture.change {
                try $0.delete("trash", base: nil, recursive: true, in: $1)
            }
        }
        #expect(try fixture.work.items == 0)
        #expect(try fixture.item(fixture.trash).children == 0)
        #expect(try fixture.store.read { try StoreInvariants.broken(in: $0) } == [])
    }

    @Test("takes no part before everything that refuses a deletion was looked at")
    func refused() async throws {
        let fixture = try await StoreFixture()
        try await fixture.invite(.reader)
        let top = try await fixture.folder("top")
        let count = try await fill(top, fixture)
        for (who, name, recursive) in [
            (fixture.bob, top.description, true), (fixture.ann, "root", true),
            (fixture.ann, top.description, false), (fixture.ann, "zzz", true),
        ] {
            await #expect(throws: StoreError.self) {
                try await fixture.change(by: who) {
                    try $0.deletePart(
                        of: name, base: nil, recursive: recursive, limit: 5, in: $1)
                }
            }
        }
        #expect(try fixture.work.items == Int64(count + 1))
    }
}
