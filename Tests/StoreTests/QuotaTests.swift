import BasketDatabase
import BasketModels
import BasketSupport
import Testing

@testable import BasketStore

@Suite("A quota")
struct QuotaTests {
    private func text(_ size: Int, _ letter: Character = "x") -> String {
        String(repeating: letter, count: size)
    }

    @Test("counts every byte that is kept: current, earlier, lost, small pictures, deleted")
    func exact() async throws {
        let fixture = try await StoreFixture()
        func expect(_ used: Int64, _ history: Int64, _ items: Int64) throws {
            let work = try fixture.work
            #expect([work.used, work.history, work.items] == [used, history, items])
            #expect(try fixture.store.read { try StoreInvariants.broken(in: $0) } == [])
        }
        let folder = try await fixture.folder("folder")
        let id = try await fixture.file("file", text(100), in: folder)
        try expect(100, 0, 2)
        let base = try fixture.item(id).contentVersion
        _ = try await fixture.write(text(10), to: id)
        try expect(10, 100, 2)
        _ = try await fixture.write(text(7), to: id, .baseOrKeep(base), by: fixture.phone)
        try expect(17, 100, 2)
        try await fixture.change {
            try $0.setThumbnail(
                Thumbnail(type: "image/png", data: [1, 2, 3]), of: id, base: nil, in: $1)
        }
        try expect(20, 100, 2)
        let copy = try await fixture.file("same bytes", text(10))
        try expect(30, 100, 3)
        try await fixture.delete(folder)
        try expect(10, 120, 1)
        _ = try await fixture.change {
            try $0.undelete(
                Undeletion(since: VirtualClock.start, device: nil, account: nil), in: $1
            ).restored
        }
        try expect(30, 100, 3)
        _ = try await fixture.write(text(1), to: id)
        try expect(18, 110, 3)
        let conflict = try fixture.store.read { db in
            try db.versions(of: fixture.item(id)).first { $0.standing == .conflict }?.version
        }
        let lost = try #require(conflict)
        try await fixture.change { try $0.restoreVersion(lost, of: id, base: nil, in: $1) }
        try expect(17, 118, 3)
        try await fixture.delete(copy)
        try await fixture.delete(id)
        try expect(0, 135, 1)
        fixture.clock.advance(.seconds(86_400 * 100))
        try await fixture.retain { try $0.purgeDeletedContents(RetentionPolicy()) }
        try expect(0, 0, 1)
        #expect(try fixture.store.read { try $0.value("SELECT count(*) FROM content") } == 0)
    }

    @Test("of a domain refuses what does not fit, and says what would")
    func domain() async throws {
        let fixture = try await StoreFixture(quota: 100)
        let id = try await fixture.file("file", text(60))
        await #expect(throws: StoreError.insufficientQuota(needed: 41, available: 40)) {
            _ = try await fixture.file("large", text(41))
        }
        #expect(try fixture.names() == ["file"])
        _ = try await fixture.file("fits", text(40))
        _ = try await fixture.folder("folders are free")
        await #expect(throws: StoreError.insufficientQuota(needed: 61, available: 60)) {
            try await fixture.write(text(61), to: id)
        }
        #expect(try fixture.text(id) == text(60))
    }

    @Test("lets a file be saved again that takes most of it: the version before makes room")
    func saveAgain() async throws {
        let fixture = try await StoreFixture(quota: 100)
        let id = try await fixture.file("file", text(60))
        _ = try await fixture.write(text(60, "y"), to: id)
        #expect(try fixture.text(id) == text(60, "y"))
        #expect(try fixture.work.history == 0)
    }

    @Test("makes room from history, the oldest first, and from nothing else")
    func history() async throws {
        let fixture = try await StoreFixture(quota: 100)
        let kept = try await fixture.file("kept", text(20))
        let versions = try await fixture.file("versions", text(10, "a"))
        _ = try await fixture.write(text(12, "b"), to: versions)  // 10 bytes of history
        let deleted = try await fixture.file("deleted", text(15))
        try await fixture.delete(deleted)  // and 15 more, younger
        _ = try await fixture.write(text(10, "c"), to: versions)  // and 12 more
        #expect(try fixture.work.history == 37)
        _ = try await fixture.file("new", text(40))  // 107: 7 too many
        #expect(try fixture.work.history == 27, "the oldest version went, as a whole")
        _ = try await fixture.file("newer", text(10))
        #expect(try fixture.work.history == 12, "then what was deleted")
        let restored = try await fixture.change {
            try $0.undelete(
                Undeletion(since: VirtualClock.start, device: nil, account: nil), in: $1
            ).restored
        }
        #expect(restored == 0)
        #expect(try fixture.text(kept) == text(20))
        await #expect(throws: StoreError.insufficientQuota(needed: 21, available: 20)) {
            _ = try await fixture.file("newest", text(21))
        }
        #expect(try fixture.work.history == 12, "who is refused costs nobody anything")
    }

    @Test("never makes room from conflicts")
    func conflicts() async throws {
        let fixture = try await StoreFixture(quota: 30)
        let id = try await fixture.file("file", text(10, "a"))
        let base = try fixture.item(id).contentVersion
        _ = try await fixture.write(text(10, "b"), to: id, .base(base))
        _ = try await fixture.write(text(10, "c"), to: id, .baseOrKeep(base), by: fixture.phone)
        await #expect(throws: StoreError.self) { _ = try await fixture.file("new", text(11)) }
        _ = try await fixture.file("new", text(10))
        #expect(try fixture.item(id).conflicts == 1)
    }

    @Test("lets two versions be kept beside each other though room was made from them")
    func keptVersions() async throws {
        let fixture = try await StoreFixture(quota: 100)
        let id = try await fixture.file("file", text(25, "a"))
        let base = try fixture.item(id).contentVersion
        _ = try await fixture.write(text(25, "b"), to: id, .base(base))
        let first = try await fixture.write(
            text(24, "c"), to: id, .baseOrKeep(base), by: fixture.phone)
        let second = try await fixture.write(
            text(25, "d"), to: id, .baseOrKeep(base), by: fixture.phone)
        let current = try fixture.item(id).contentVersion
        let keep = try [#require(first), #require(second)]
        let made = try await fixture.change {
            try $0.resolveConflicts(of: id, keep: keep, base: current, in: $1)
        }
        #expect(try fixture.text(id) == text(24, "c"))
        #expect(try made.map { try fixture.text($0) } == [text(25, "d")])
        #expect(try fixture.store.read { try StoreInvariants.broken(in: $0) } == [])
    }

    @Test("of an account holds over all domains that it owns, and history in any makes room")
    func account() async throws {
        let fixture = try await StoreFixture()
        let ann = fixture.ann
        let other = try await fixture.store.write(as: ann) { transaction in
            var change = AccountChange()
            change.quota = .set(100)
            try transaction.change(account: "ann", change)
            _ = try transaction.createDomain(
                "Other", caseRule: .posix, hasTrash: true, quota: 1000)
            let other = try transaction.db.domain("Other", for: ann)
            return try transaction.create(
                ItemCreation(
                    parent: other.root, name: "a", kind: .file,
                    content: .init(text: String(repeating: "a", count: 50))), in: other)
        }
        try await fixture.invite()
        let bob = fixture.bob
        await #expect(throws: StoreError.insufficientQuota(needed: 51, available: 50)) {
            _ = try await fixture.file("b", text(51), by: bob)
        }
        let file = try await fixture.file("b", text(50), by: bob)
        try await fixture.store.write(as: ann) { transaction in
            try transaction.delete(
                other.description, base: nil, recursive: false,
                in: try transaction.db.domain("Other", for: ann))
        }
        _ = try await fixture.file("c", text(50), by: bob)
        #expect(try fixture.text(file) == text(50))
        let account = try fixture.store.read { try $0.account(named: "ann") }
        #expect(account.used == 100)
        let domain = try fixture.store.read { try $0.domain("Other", for: ann) }
        #expect(domain.history == 0)
    }

    @Test("that is lowered below what is used refuses writes until there is room")
    func lowered() async throws {
        let fixture = try await StoreFixture()
        let id = try await fixture.file("file", text(60))
        try await fixture.change { transaction, domain in
            var change = DomainChange()
            change.quota = .set(50)
            try transaction.change(domain, change)
        }
        await #expect(throws: StoreError.insufficientQuota(needed: 1, available: 0)) {
            _ = try await fixture.file("one byte", "x")
        }
        try await fixture.modify(id, ItemChange(name: "renamed"))
        _ = try await fixture.write(text(50), to: id)
        #expect(try fixture.work.used == 50)
        await #expect(throws: StoreError.badField(field: "quota", reason: "0 or more bytes")) {
            try await fixture.change { transaction, domain in
                var change = DomainChange()
                change.quota = .set(-1)
                try transaction.change(domain, change)
            }
        }
    }

    @Test("has any amount of history make room, in steps that others get in between of")
    func steps() async throws {
        let fixture = try await StoreFixture()
        try await fixture.change { transaction, domain in
            for number in 0..<1000 {
                let id = try transaction.create(
                    ItemCreation(
                        parent: domain.root, name: "\(number)", kind: .file,
                        content: .init(text: "ten bytes \(number)")), in: domain)
                try transaction.delete(
                    id.description, base: nil, recursive: false, in: domain)
            }
        }
        var quota = DomainChange()
        quota.quota = .set(100)
        let limited = quota
        try await fixture.change { try $0.change($1, limited) }
        let before = try fixture.work.history
        // In vain: nothing is let go of.
        await #expect(throws: StoreError.insufficientQuota(needed: 200, available: 100)) {
            _ = try await fixture.file("too large", text(200))
        }
        #expect(try fixture.work.history == before)

        async let others: Void = {
            for number in 0..<20 { _ = try await fixture.folder("folder \(number)") }
        }()
        _ = try await fixture.file("fits", text(100))
        try await others
        let work = try fixture.work
        #expect(work.used == 100 && work.history == 0)
        #expect(try fixture.store.read { try StoreInvariants.broken(in: $0) } == [])
    }

    @Test("has history make room behind any number of empty files")
    func empties() async throws {
        let fixture = try await StoreFixture()
        for index in 0..<300 {
            try await fixture.delete(try await fixture.file("empty \(index)", ""))
        }
        try await fixture.delete(try await fixture.file("large", text(600)))
        try await fixture.change {
            var change = DomainChange()
            change.quota = .set(700)
            try $0.change($1, change)
        }

        _ = try await fixture.file("new", text(500))

        #expect(try fixture.work.history == 0)
        #expect(try fixture.store.read { try StoreInvariants.broken(in: $0) } == [])
    }

    @Test("has a file make room for its own next content behind much small history")
    func ownRoom() async throws {
        let fixture = try await StoreFixture()
        let file = try await fixture.file("large", text(10_000))
        try await fixture.change { transaction, domain in
            for number in 0..<300 {
                let id = try transaction.create(
                    ItemCreation(
                        parent: domain.root, name: "\(number)", kind: .file,
                        content: .init(text: "x")), in: domain)
                try transaction.delete(
                    id.description, base: nil, recursive: false, in: domain)
            }
        }
        var quota = DomainChange()
        quota.quota = .set(10_300)
        let limited = quota
        try await fixture.change { try $0.change($1, limited) }

        _ = try await fixture.write(text(10_300, "y"), to: file)

        #expect(try fixture.work.used == 10_300)
        #expect(try fixture.store.read { try StoreInvariants.broken(in: $0) } == [])
    }
}
