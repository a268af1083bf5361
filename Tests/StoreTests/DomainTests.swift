import BasketContent
import BasketDatabase
import BasketModels
import BasketSupport
import Testing

@testable import BasketStore

@Suite("A domain")
struct DomainTests {
    @Test("is as unknown as one that never was to who has no part in it")
    func unknown() async throws {
        let fixture = try await StoreFixture()
        let number = ItemID(rawValue: try fixture.work.id).description
        for name in ["Work", number, "Nothing"] {
            #expect(throws: StoreError.noSuchDomain(name)) {
                try fixture.store.read { try $0.domain(name, for: fixture.bob) }
            }
        }
        #expect(try fixture.store.read { try $0.domain(number, for: fixture.ann).name } == "Work")
        #expect(try fixture.store.read { try $0.domain("work", for: fixture.ann).name } == "Work")
    }

    @Test("does not know the items of another one, whatever is asked of them")
    func otherItems() async throws {
        let fixture = try await StoreFixture()
        let ann = fixture.ann
        let foreign = try await fixture.store.write(as: ann) { transaction in
            _ = try transaction.createDomain("Other", caseRule: .posix, hasTrash: true, quota: nil)
            let other = try transaction.db.domain("Other", for: ann)
            return try transaction.create(
                ItemCreation(
                    parent: other.root, name: "secret", kind: .file, content: .init(text: "x")),
                in: other)
        }
        let mine = try await fixture.file("mine")
        let never = ItemID(rawValue: 77)
        for id in [foreign, never] {
            let unknown = StoreError.noSuchItem(id.description)
            #expect(throws: unknown) { try fixture.item(id) }
            await #expect(throws: unknown) { _ = try await fixture.folder("a", in: id) }
            await #expect(throws: unknown) { _ = try await fixture.write("text", to: id) }
            await #expect(throws: unknown) { try await fixture.delete(id) }
            await #expect(throws: unknown) {
                try await fixture.modify(mine, ItemChange(parent: id))
            }
            await #expect(throws: unknown) {
                try await fixture.modify(id, ItemChange(name: "mine too"))
            }
            await #expect(throws: unknown) { try await fixture.change { try $0.trash(id, in: $1) } }
            await #expect(throws: unknown) {
                try await fixture.change { try $0.restore(id, to: nil, name: nil, in: $1) }
            }
            await #expect(throws: unknown) {
                try await fixture.change {
                    try $0.restoreVersion(Version(rawValue: 1), of: id, base: nil, in: $1)
                }
            }
            await #expect(throws: unknown) {
                try await fixture.change {
                    try $0.lock(id, for: .seconds(9), note: "", in: $1)
                }
            }
            await #expect(throws: unknown) {
                try await fixture.change {
                    try $0.setThumbnail(
                        Thumbnail(type: "image/png", data: [1]), of: id, base: nil, in: $1)
                }
            }
        }
    }

    @Test("does not give another one's bytes for their hash")
    func otherContents() async throws {
        let fixture = try await StoreFixture()
        let ann = fixture.ann
        _ = try await fixture.file("mine", "mine")
        let hash = ContentHash(of: Array("mine".utf8))
        await #expect(throws: StoreError.self) {
            try await fixture.store.write(as: ann) { transaction in
                _ = try transaction.createDomain(
                    "Other", caseRule: .posix, hasTrash: true, quota: nil)
                let other = try transaction.db.domain("Other", for: ann)
                let claim = StagedContent(
                    hash: hash, size: 4, chunks: [StagedChunk(hash: hash, length: 4)], proof: .read)
                _ = try transaction.create(
                    ItemCreation(parent: other.root, name: "a", kind: .file, content: claim),
                    in: other)
            }
        }
    }

    @Test("is not taken for another one whose number it is named like")
    func namedLikeANumber() async throws {
        let fixture = try await StoreFixture()
        let bob = fixture.bob
        let number = ItemID(rawValue: try fixture.work.id).description
        try await fixture.store.write(as: bob) { transaction in
            _ = try transaction.createDomain(number, caseRule: .posix, hasTrash: true, quota: nil)
            try transaction.setMember(
                "ann", role: .writer, of: try transaction.db.domain(number, for: bob))
        }
        let found = try fixture.store.read { try $0.domain(number, for: fixture.ann) }
        #expect(found.name == "Work")
    }

    @Test("goes with everything in it, and nothing else")
    func deleted() async throws {
        let fixture = try await StoreFixture()
        let bob = fixture.bob
        try await fixture.invite()
        try await fixture.store.write(as: bob) {
            _ = try $0.createDomain("Mine", caseRule: .posix, hasTrash: true, quota: nil)
        }
        let folder = try await fixture.folder("folder")
        let file = try await fixture.file("file", "one", in: folder)
        let base = try fixture.item(file).contentVersion
        _ = try await fixture.write("two", to: file)
        _ = try await fixture.write("three", to: file, .baseOrKeep(base), by: fixture.phone)
        var change = MetadataChange()
        change.xattrs["user.x"] = Base64Bytes([1])
        try await fixture.modify(file, ItemChange(metadata: change))
        let chunk = StagedChunk(
            hash: ContentHash(of: [7]), length: 1, place: BlobPlace(blob: 2, position: 0))
        try await fixture.change { transaction, domain in
            try transaction.lock(file, for: .seconds(30), note: "", in: domain)
            try transaction.setThumbnail(
                Thumbnail(type: "image/png", data: [1]), of: file, base: nil, in: domain)
            try transaction.stage(chunk, blobSize: 1, in: domain)
            _ = try transaction.create(
                ItemCreation(
                    parent: domain.root, name: "large", kind: .file,
                    content: StagedContent(hash: chunk.hash, size: 1, chunks: [chunk], proof: .read)
                ), in: domain)
            _ = try transaction.indexForSearch(domain: domain.id, limit: 100)
        }
        await #expect(throws: StoreError.forbidden(needs: "owner")) {
            try await fixture.change(by: bob) { try $0.deleteDomain($1) }
        }
        let listener = fixture.store.hub.listen(to: [], account: bob.account)

        try await fixture.change { try $0.deleteDomain($1) }

        #expect(listener.take() == [.membership(account: bob.account)])
        #expect(throws: StoreError.noSuchDomain("Work")) { try fixture.work }
        try await takeApart(fixture, steps: 3)
        for table in [
            "content", "version", "xattr", "thumbnail", "lock", "chunk", "content_chunk",
            "search_state", "search",
        ] {
            let count =
                try fixture.store.read { try $0.value("SELECT count(*) FROM \(table)") } ?? 0
            #expect(count == 0, "\(table)")
        }
        #expect(try fixture.store.read { try $0.value("SELECT count(*) FROM item") } == 2)
        #expect(try fixture.store.read { try $0.domains(of: bob.account).map(\.name) } == ["Mine"])
    }

    /// Takes apart what was deleted, in steps; the number of them.
    @discardableResult
    private func takeApart(_ fixture: StoreFixture, steps: Int) async throws -> Int {
        var count = 0
        for domain in try fixture.store.read({ try $0.deletedDomains() }) {
            var isDone = false
            while !isDone, count < 10_000 {
                isDone = try await fixture.store.write {
                    let step = try $0.takeApart(deletedDomain: domain, steps: steps)
                    #expect(step.dropped <= steps + 1)
                    return step.isDone
                }
                count += 1
            }
        }
        return count
    }

    @Test("counts for nobody from the moment of its deletion, and its name is free")
    func deletedCounts() async throws {
        let fixture = try await StoreFixture()
        let ann = fixture.ann
        let folder = try await fixture.folder("folder")
        for name in ["a", "b", "c"] { _ = try await fixture.file(name, "12345", in: folder) }
        let before = try fixture.work
        try await fixture.change { try $0.deleteDomain($1) }

        let totals = try fixture.store.read { try $0.totals() }
        #expect(totals == Totals(accounts: 2, domains: 0, items: 0, used: 0, history: 0))
        #expect(try fixture.store.read { try $0.account(named: "ann").used } == 0)
        // Whoever had looked the domain up before.
        await #expect(throws: StoreError.noSuchDomain("Work")) {
            try await fixture.store.write(as: ann) {
                _ = try $0.create(
                    ItemCreation(parent: before.root, name: "late", kind: .folder), in: before)
            }
        }
        try await fixture.store.write(as: ann) {
            _ = try $0.createDomain("Work", caseRule: .posix, hasTrash: true, quota: nil)
        }
        _ = try await fixture.file("new", "12")
        #expect(try await takeApart(fixture, steps: 2) > 3)
        #expect(try fixture.names() == ["new"])
        #expect(try fixture.store.read { try $0.account(named: "ann").used } == 2)
        #expect(try fixture.store.read { try StoreInvariants.broken(in: $0) } == [])
    }

    @Test("that was deleted is in nobody's way: neither of its owner's end, nor of others' room")
    func deletedInTheWay() async throws {
        let fixture = try await StoreFixture()
        let bob = fixture.bob
        try await fixture.invite()
        try await fixture.change { try $0.setMember("bob", role: .owner, of: $1) }
        try await fixture.change(by: bob) { try $0.setMember("bob", role: .owner, of: $1) }
        for number in 0..<70 {
            try await fixture.delete(try await fixture.file("file \(number)", "12345"))
        }
        try await fixture.change(by: bob) { try $0.deleteDomain($1) }
        // Room is made for what the owner has, not of what nobody has.
        try await fixture.store.write(as: bob) { transaction in
            try transaction.change(account: "bob", AccountChange(quota: .set(6)))
            _ = try transaction.createDomain("Mine", caseRule: .posix, hasTrash: true, quota: nil)
        }
        func put(_ text: String) async throws {
            try await fixture.store.write(as: bob) { transaction in
                let mine = try transaction.db.domain("Mine", for: bob)
                _ = try transaction.create(
                    ItemCreation(
                        parent: mine.root, name: text, kind: .file, content: .init(text: text)),
                    in: mine)
                try transaction.delete(
                    try transaction.db.child(text, of: mine.root, in: mine)?.id.description ?? "",
                    base: nil, recursive: false, in: mine)
            }
        }
        try await put("abcd")
        try await put("efgh")
        try await fixture.store.write(as: bob) {
            try $0.deleteDomain(try $0.db.domain("Mine", for: bob))
        }
        try await fixture.store.write { try $0.deleteAccount("bob") }
        try await takeApart(fixture, steps: 500)
        #expect(try fixture.store.read { try $0.deletedDomains() } == [])
    }

    @Test("is taken over by who is offered it, has room for it, and asks for it")
    func takenOver() async throws {
        let fixture = try await StoreFixture()
        let bob = fixture.bob
        func take() async throws {
            try await fixture.change(by: bob) { try $0.setMember("bob", role: .owner, of: $1) }
        }
        let file = try await fixture.file("a", "12345")
        _ = try await fixture.write("123456", to: file)
        try await fixture.store.write {
            try $0.change(account: "bob", AccountChange(quota: .set(10)))
        }
        try await fixture.change { try $0.setMember("bob", role: .owner, of: $1) }
        var offered = try fixture.store.read { try $0.members(of: fixture.work.id) }
        #expect(offered.map(\.role) == [.owner, .writer], "nobody is given one without asking")
        #expect(offered.map(\.isOffered) == [false, true])
        await #expect(throws: StoreError.insufficientQuota(needed: 11, available: 10)) {
            try await take()
        }
        try await fixture.store.write {
            try $0.change(account: "bob", AccountChange(quota: .set(11)))
        }
        // Taken back in time.
        try await fixture.change { try $0.setMember("bob", role: .writer, of: $1) }
        await #expect(throws: StoreError.forbidden(needs: "owner")) { try await take() }
        try await fixture.change { try $0.setMember("bob", role: .owner, of: $1) }
        try await take()
        try await take()
        offered = try fixture.store.read { try $0.members(of: fixture.work.id) }
        #expect(offered.map(\.role) == [.writer, .owner])
        #expect(offered.allSatisfy { !$0.isOffered })
        #expect(try fixture.store.read { try $0.account(named: "bob").used } == 11)
    }

    @Test("has one owner, who lets others in and may hand it over")
    func handedOver() async throws {
        let fixture = try await StoreFixture()
        try await fixture.invite(.reader)
        await #expect(throws: StoreError.ownerStays) {
            try await fixture.change { try $0.setMember("ann", role: .writer, of: $1) }
        }
        await #expect(throws: StoreError.ownerStays) {
            try await fixture.change { try $0.removeMember("ann", of: $1) }
        }
        await #expect(throws: StoreError.forbidden(needs: "owner")) {
            try await fixture.change(by: fixture.bob) {
                try $0.setMember("bob", role: .owner, of: $1)
            }
        }
        try await fixture.change { try $0.setMember("bob", role: .owner, of: $1) }
        try await fixture.change(by: fixture.bob) {
            try $0.setMember("bob", role: .owner, of: $1)
        }
        let work = try fixture.work
        #expect(work.owner == fixture.bob.account)
        #expect(work.role == .writer)
        let roles = try fixture.store.read { try $0.members(of: work.id).map(\.role) }
        #expect(roles == [.writer, .owner])
        await #expect(throws: StoreError.noSuchMember("ann")) {
            try await fixture.change { try $0.removeMember("ann", of: $1) }
            try await fixture.store.write(as: fixture.bob) { [bob = fixture.bob] in
                try $0.removeMember("ann", of: try $0.db.domain("Work", for: bob))
            }
        }
    }

    @Test("lets each role do what it may, and no more", arguments: DomainRole.allCases)
    func roles(role: DomainRole) async throws {
        let fixture = try await StoreFixture()
        if role != .owner { try await fixture.invite(role) }
        let who = role == .owner ? fixture.ann : fixture.bob
        let id = try await fixture.file("file")
        _ = try fixture.store.read { try $0.item(id, in: $0.domain("Work", for: who)) }
        let writes: [@Sendable (Transaction, Domain) throws -> Void] = [
            { _ = try $0.create(ItemCreation(parent: $1.root, name: "a", kind: .folder), in: $1) },
            { _ = try $0.modify(id, ItemChange(name: "b"), in: $1) },
            { _ = try $0.replaceContent(of: id, with: .init(text: "c"), condition: .any, in: $1) },
            { try $0.trash(id, in: $1) },
            { try $0.restore(id, to: nil, name: nil, in: $1) },
            { try $0.delete(id.description, base: nil, recursive: false, in: $1) },
            {
                let wanted = Undeletion(since: VirtualClock.start, device: nil, account: nil)
                _ = try $0.undelete(wanted, in: $1)
            },
        ]
        for write in writes {
            if role.mayWrite {
                try await fixture.change(by: who, write)
            } else {
                await #expect(throws: StoreError.forbidden(needs: "writer")) {
                    try await fixture.change(by: who, write)
                }
            }
        }
        let manages: [@Sendable (Transaction, Domain) throws -> Void] = [
            { try $0.setMember("bob", role: .reader, of: $1) },
            { try $0.resetAnchors(of: $1) },
            { transaction, domain in
                var change = DomainChange()
                change.quota = .set(1 << 30)
                try transaction.change(domain, change)
            },
        ]
        for manage in manages {
            if role.mayManage {
                try await fixture.change(by: who, manage)
            } else {
                await #expect(throws: StoreError.forbidden(needs: "owner")) {
                    try await fixture.change(by: who, manage)
                }
            }
        }
    }

    @Test("is called by each member as that one likes")
    func names() async throws {
        let fixture = try await StoreFixture()
        let bob = fixture.bob
        try await fixture.store.write(as: bob) {
            _ = try $0.createDomain("work", caseRule: .posix, hasTrash: true, quota: nil)
        }
        try await fixture.invite()
        #expect(
            try fixture.store.read { try $0.domains(of: bob.account).map(\.name) }
                == ["work", "Work 2"])
        try await fixture.store.write(as: bob) { transaction in
            var change = DomainChange()
            change.name = "Ann’s"
            try transaction.change(try transaction.db.domain("Work 2", for: bob), change)
        }
        #expect(try fixture.work.name == "Work")
        await #expect(throws: StoreError.domainExists("Ann’s")) {
            try await fixture.store.write(as: bob) {
                _ = try $0.createDomain("Ann’s", caseRule: .posix, hasTrash: true, quota: nil)
            }
        }
        await #expect(throws: StoreError.domainExists("WORK")) {
            try await fixture.store.write(as: bob) { transaction in
                var change = DomainChange()
                change.name = "WORK"
                try transaction.change(try transaction.db.domain("Ann’s", for: bob), change)
            }
        }
        await #expect(throws: StoreError.badName(field: "name", .forbiddenCharacter("/"))) {
            try await fixture.store.write(as: bob) {
                _ = try $0.createDomain("a/b", caseRule: .posix, hasTrash: true, quota: nil)
            }
        }
        try await fixture.store.write(as: bob) {
            try $0.removeMember("bob", of: try $0.db.domain("Ann’s", for: bob))
        }
        #expect(try fixture.store.read { try $0.domains(of: bob.account).map(\.name) } == ["work"])
    }
}
