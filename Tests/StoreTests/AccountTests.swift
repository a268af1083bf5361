import BasketContent
import BasketDatabase
import BasketModels
import BasketSupport
import Testing

@testable import BasketStore

@Suite("An account")
struct AccountTests {
    private func create(_ fixture: StoreFixture, _ name: String) async throws {
        try await fixture.store.write { transaction in
            try transaction.createAccount(
                name, displayName: "Display", role: .member, quota: nil,
                password: try StoreFixture.password())
        }
    }

    @Test("is known by its name without regard to case", arguments: ["carl", "CARL"])
    func named(name: String) async throws {
        let fixture = try await StoreFixture()
        try await create(fixture, "Carl")
        #expect(try fixture.store.read { try $0.account(named: name).name } == "Carl")
        await #expect(throws: StoreError.accountExists("Carl")) { try await create(fixture, name) }
    }

    @Test(
        "has a name that can be typed",
        arguments: ["", ".a", "a b", "a/b", "é", "a\0", String(repeating: "a", count: 65)])
    func badNames(name: String) async throws {
        let fixture = try await StoreFixture()
        await #expect(throws: StoreError.self) { try await create(fixture, name) }
        #expect(try fixture.store.read { try $0.accountCount() } == 2)
    }

    @Test("is not deleted with its domains, nor is the last administrator")
    func deleted() async throws {
        let fixture = try await StoreFixture()
        await #expect(throws: StoreError.accountOwnsDomains("ann")) {
            try await fixture.store.write { try $0.deleteAccount("ann") }
        }
        try await fixture.invite()
        try await fixture.store.write { try $0.deleteAccount("bob") }
        #expect(try fixture.store.read { try $0.members(of: fixture.work.id).count } == 1)
        try await fixture.change { try $0.deleteDomain($1) }
        await #expect(throws: StoreError.lastAdministrator) {
            try await fixture.store.write { try $0.deleteAccount("ann") }
        }
        for change in [true, false] {
            await #expect(throws: StoreError.lastAdministrator) {
                try await fixture.store.write { transaction in
                    var demoted = AccountChange()
                    if change { demoted.role = .member } else { demoted.isDisabled = true }
                    try transaction.change(account: "ann", demoted)
                }
            }
        }
        #expect(try fixture.store.read { try $0.account(named: "ann").role } == .administrator)
    }

    @Test("that wrote a version may go; the version stays")
    func author() async throws {
        let fixture = try await StoreFixture()
        try await fixture.invite()
        let id = try await fixture.file("file", "bob’s", by: fixture.bob)
        try await fixture.store.write { try $0.deleteAccount("bob") }
        let versions = try fixture.store.read { try $0.versions(of: fixture.item(id)) }
        #expect(versions.map(\.authorName) == [nil])
        #expect(try fixture.text(id) == "bob’s")
    }

    @Test("is recognised by its devices' tokens until they are revoked, expire, or it is disabled")
    func tokens() async throws {
        let fixture = try await StoreFixture()
        let store = fixture.store
        let token = ContentHash(of: [1])
        let bob = fixture.bob.account
        let expires = fixture.clock.now + .seconds(100)
        let device = try await store.write {
            try $0.addDevice("tablet", of: bob, token: token, expires: expires)
        }
        func who() throws -> Identity? {
            try store.read { try $0.identity(token: token, at: fixture.clock.now)?.identity }
        }
        #expect(try who()?.deviceName == "tablet")
        func disable(_ isDisabled: Bool) async throws {
            try await store.write { transaction in
                var change = AccountChange()
                change.isDisabled = isDisabled
                try transaction.change(account: "bob", change)
            }
        }
        try await disable(true)
        #expect(try who() == nil)
        try await disable(false)
        #expect(try who() != nil)
        fixture.clock.advance(.seconds(100))
        #expect(try who() == nil)
        let other = ContentHash(of: [2])
        let second = try await store.write {
            try $0.addDevice("tablet", of: bob, token: other, expires: nil)
        }
        try await store.write { try $0.revoke(device: second, of: bob) }
        #expect(try store.read { try $0.identity(token: other, at: fixture.clock.now) == nil })
        await #expect(throws: StoreError.noSuchDevice) {
            try await store.write { try $0.revoke(device: device, of: 1) }
        }
    }

    @Test("forgets the devices it used longest ago, and ends what they have open")
    func manyDevices() async throws {
        let fixture = try await StoreFixture()
        let bob = fixture.bob
        try await fixture.invite()
        let id = try await fixture.file("file")
        try await fixture.change(by: bob) { try $0.lock(id, for: .seconds(3000), note: "", in: $1) }
        let listener = fixture.store.hub.listen(to: [], account: bob.account)
        for number in 0..<Transaction.mostDevices {
            fixture.clock.advance(.seconds(1))
            _ = try await fixture.store.write {
                try $0.addDevice(
                    "script", of: bob.account, token: ContentHash(of: Array("t\(number)".utf8)),
                    expires: nil)
            }
        }
        let devices = try fixture.store.read {
            try $0.devices(of: bob.account, at: fixture.clock.now)
        }
        #expect(devices.count == Transaction.mostDevices)
        #expect(devices.allSatisfy { $0.name == "script" })
        #expect(try fixture.store.read { try $0.locks(on: id, at: fixture.clock.now) } == [])
        let desktop = try #require(bob.device)
        #expect(listener.take() == [.revoked(device: desktop, account: bob.account)])
    }
}
