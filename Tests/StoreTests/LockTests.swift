import BasketDatabase
import BasketModels
import BasketSupport
import Testing

@testable import BasketStore

@Suite("A lock")
struct LockTests {
    private func locks(_ fixture: StoreFixture, _ id: ItemID) throws -> [ItemLock] {
        try fixture.store.read { try $0.locks(on: id, at: fixture.clock.now) }
    }

    @Test("tells listeners once, and the feed never", arguments: WriterKind.allCases)
    func told(kind: WriterKind) async throws {
        let fixture = try await StoreFixture(kind)
        let id = try await fixture.file("file")
        let work = try fixture.work
        let listener = fixture.store.hub.listen(to: [work.id])
        try await fixture.change { try $0.lock(id, for: .seconds(30), note: "editing", in: $1) }
        #expect(listener.take() == [.locked(domain: work.id, id)])
        try await fixture.change { try $0.lock(id, for: .seconds(30), note: "still", in: $1) }
        #expect(listener.take() == [])
        #expect(try locks(fixture, id).map(\.note) == ["still"])
        #expect(try locks(fixture, id).map(\.device) == ["laptop"])
        try await fixture.change { try $0.unlock(id, everybody: false, in: $1) }
        #expect(listener.take() == [.locked(domain: work.id, id)])
        try await fixture.change { try $0.unlock(id, everybody: false, in: $1) }
        #expect(listener.take() == [])
        #expect(try fixture.work.rank == work.rank)
        #expect(try fixture.item(id).rank == work.rank)
    }

    @Test("ends by itself, and taking it again is news")
    func expires() async throws {
        let fixture = try await StoreFixture()
        let id = try await fixture.file("file")
        let listener = fixture.store.hub.listen(to: [try fixture.work.id])
        try await fixture.change { try $0.lock(id, for: .seconds(30), note: "", in: $1) }
        fixture.clock.advance(.seconds(31))
        #expect(try locks(fixture, id) == [])
        _ = listener.take()
        try await fixture.change { try $0.lock(id, for: .seconds(86_400), note: "", in: $1) }
        #expect(listener.take().count == 1)
        fixture.clock.advance(Transaction.longestLock + .seconds(1))
        #expect(try locks(fixture, id) == [])
        _ = listener.take()
        try await fixture.store.write { try $0.forgetExpired() }
        #expect(listener.take() == [.locked(domain: try fixture.work.id, id)])
        #expect(try fixture.store.read { try $0.value("SELECT count(*) FROM lock") } == 0)
    }

    @Test("ends when its owner may not see the domain any more")
    func removedMember() async throws {
        let fixture = try await StoreFixture()
        try await fixture.invite(.reader)
        let id = try await fixture.file("file")
        try await fixture.change { try $0.lock(id, for: .seconds(30), note: "", in: $1) }
        try await fixture.change(by: fixture.bob) {
            try $0.lock(id, for: .seconds(30), note: "", in: $1)
        }
        let work = try fixture.work
        let listener = fixture.store.hub.listen(to: [work.id])
        try await fixture.change { try $0.removeMember("bob", of: $1) }
        #expect(listener.take().contains(.locked(domain: work.id, id)))
        #expect(try locks(fixture, id).map(\.account) == ["ann"])
    }

    @Test("refuses nobody anything, and each device has its own")
    func advisory() async throws {
        let fixture = try await StoreFixture()
        try await fixture.invite(.reader)
        let id = try await fixture.file("file")
        for who in [fixture.phone, fixture.bob] {
            try await fixture.change(by: who) {
                try $0.lock(id, for: .seconds(30), note: "", in: $1)
            }
        }
        #expect(try locks(fixture, id).map(\.device) == ["phone", "desktop"])
        _ = try await fixture.write("new", to: id)
        await #expect(throws: StoreError.forbidden(needs: "owner")) {
            try await fixture.change(by: fixture.bob) {
                try $0.unlock(id, everybody: true, in: $1)
            }
        }
        try await fixture.change { try $0.unlock(id, everybody: true, in: $1) }
        #expect(try locks(fixture, id) == [])
    }

    @Test("needs a device, and ends with it")
    func device() async throws {
        let fixture = try await StoreFixture()
        let id = try await fixture.file("file")
        let ann = fixture.ann
        let bare = Identity(
            account: ann.account, accountName: "ann", role: ann.role, device: nil, deviceName: "")
        await #expect(throws: StoreError.forbidden(needs: "device")) {
            try await fixture.change(by: bare) {
                try $0.lock(id, for: .seconds(30), note: "", in: $1)
            }
        }
        try await fixture.change { try $0.lock(id, for: .seconds(30), note: "", in: $1) }
        let device = try #require(ann.device)
        let listener = fixture.store.hub.listen(to: [try fixture.work.id])
        try await fixture.store.write { try $0.revoke(device: device, of: ann.account) }
        #expect(listener.take() == [.locked(domain: try fixture.work.id, id)])
        #expect(try locks(fixture, id) == [])
    }
}
