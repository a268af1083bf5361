import BasketProvider
import BasketSupport
import TestSupport
import Testing

@Suite(
    "A desktop's keyring", .enabled(if: PrivateBus.isPossible), .timeLimit(.minutes(2)))
struct DesktopKeyringTests {
    private static func keyring(_ address: String?) -> DesktopKeyring {
        var environment: [String: String] = [:]
        environment["DBUS_SESSION_BUS_ADDRESS"] = address
        return DesktopKeyring(environment: environment, files: LinuxFileSystem())
    }

    private static func entry(_ id: String) -> KeyringEntry {
        KeyringEntry(id: id, file: "/home/ann/login.json")
    }

    @Test("keeps a log-in by what finds it again, and under a name for people")
    func keeps() async throws {
        let bus = try PrivateBus()
        let fake = try FakeSecretService(on: bus)
        defer { fake.stop() }
        let keyring = Self.keyring(bus.address)
        for id in ["1", "2"] {
            try await keyring.keep("token \(id)", as: Self.entry(id), label: "Basket: ann at nas")
        }
        #expect(fake.items.map(\.label) == ["Basket: ann at nas", "Basket: ann at nas"])
        #expect(
            fake.items.first?.attributes
                == ["application": "basket", "id": "1", "file": "/home/ann/login.json"])
        #expect(try await keyring.secret("1") == "token 1")
        #expect(try await keyring.secret("2") == "token 2")
        try await keyring.removeEntries(of: "/home/ann/login.json", besides: "2")
        #expect(try await keyring.secret("1") == nil)
        #expect(try await keyring.secret("2") == "token 2")
        try await keyring.removeEntries(of: "/home/ann/login.json", besides: nil)
        #expect(fake.items.isEmpty)
    }

    @Test("that has kept something else than it was given has it no more")
    func forgetful() async throws {
        let bus = try PrivateBus()
        let fake = try FakeSecretService(on: bus)
        defer { fake.stop() }
        fake.manners.isForgetful = true
        await #expect(throws: KeyringTrouble.unreachable("what was kept is not there")) {
            try await Self.keyring(bus.address).keep("a", as: Self.entry("1"), label: "")
        }
        #expect(fake.items.isEmpty)
    }

    @Test("says whether it is locked or not there, and asks nobody anything")
    func troubles() async throws {
        let bus = try PrivateBus()
        let keyring = Self.keyring(bus.address)
        func isUnreachable(_ error: any Error) -> Bool {
            if case .unreachable? = error as? KeyringTrouble { true } else { false }
        }
        await #expect { try await keyring.secret("1") } throws: { isUnreachable($0) }
        let fake = try FakeSecretService(on: bus)
        defer { fake.stop() }
        try await keyring.keep("a", as: Self.entry("1"), label: "")
        fake.manners.isLocked = true
        await #expect(throws: KeyringTrouble.locked) { try await keyring.secret("1") }
        await #expect(throws: KeyringTrouble.locked) {
            try await keyring.keep("b", as: Self.entry("1"), label: "")
        }
        fake.manners.isLocked = false
        fake.manners.wantsPrompt = true
        await #expect { try await keyring.keep("b", as: Self.entry("2"), label: "") } throws: {
            isUnreachable($0)
        }
        for address in [nil, "unix:path=/nowhere"] {
            await #expect { try await Self.keyring(address).secret("1") } throws: {
                isUnreachable($0)
            }
        }
    }
}
