import BasketProvider
import BasketSupport
import Foundation
import Testing

@Suite("A file of credentials")
struct CredentialFileTests {
    private static let server = "https://nas.local"
    private static let first = StoredCredentials(token: "first", device: "1", server: server)
    private static let second = StoredCredentials(token: "second", device: "2", server: server)

    /// A folder for the file, which goes away with the test, and a keyring.
    private struct Scene {
        let keyring = MemoryKeyring()
        let path: String
        let world = World.live(log: .silent)

        static func with(_ body: (Scene) async throws -> Void) async throws {
            let folder = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString)"
            try LinuxFileSystem().makeFolder(folder)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            try await body(Scene(path: folder + "/login.json"))
        }

        /// A new one each time, as in another process.
        var store: FileCredentialStore { store(of: server) }

        func store(of server: String) -> FileCredentialStore {
            FileCredentialStore(path: path, server: server, keyring: keyring, world: world)
        }

        var text: String { get throws { try String(contentsOfFile: path, encoding: .utf8) } }
        var exists: Bool { FileManager.default.fileExists(atPath: path) }

        @discardableResult
        func replace(
            with credentials: StoredCredentials, mayUseKeyring: Bool = true
        ) async throws -> ReplacedCredentials {
            try await store.replace(
                with: credentials, label: "Basket: \(credentials.token)",
                mayUseKeyring: mayUseKeyring)
        }
    }

    @Test("names the keyring's entry, which has the token, and has none itself")
    func keyring() async throws {
        try await Scene.with { scene in
            #expect(try await scene.store.credentials() == nil)
            await scene.store.settle(try await scene.replace(with: Self.first))
            #expect(try await scene.store.credentials() == Self.first)
            #expect(Array(scene.keyring.entries.values) == ["first"])
            #expect(scene.keyring.labels == ["Basket: first"])
            let id = try #require(scene.keyring.entries.keys.first?.id)
            #expect(
                try scene.text == #"{"device":"1","keyring":"\#(id)","server":"https://nas.local"}"#
            )
            let facts = try FileManager.default.attributesOfItem(atPath: scene.path)
            #expect(facts[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test("has the token, for its owner alone, where no keyring takes it or none may have it")
    func noKeyring() async throws {
        try await Scene.with { scene in
            scene.keyring.trouble = .locked
            try await scene.replace(with: Self.first)
            #expect(
                try scene.text == #"{"device":"1","server":"https://nas.local","token":"first"}"#)
            let facts = try FileManager.default.attributesOfItem(atPath: scene.path)
            #expect(facts[.posixPermissions] as? Int == 0o600)
            #expect(try await scene.store.credentials() == Self.first)

            scene.keyring.trouble = nil
            let questions = scene.keyring.questions
            let replaced = try await scene.replace(with: Self.second, mayUseKeyring: false)
            await scene.store.settle(replaced)
            #expect(replaced.credentials == Self.first)
            #expect(try await scene.store.credentials() == Self.second)
            try await scene.store.forget()
            #expect(try await scene.store.credentials() == nil)
            try await scene.store.forget()
            #expect(scene.keyring.questions == questions)
        }
    }

    @Test("whose keyring is locked, or not there, is no log-out")
    func locked() async throws {
        try await Scene.with { scene in
            try await scene.replace(with: Self.first)
            for trouble in [KeyringTrouble.locked, .unreachable("nobody is there")] {
                scene.keyring.trouble = trouble
                await #expect(throws: trouble) { try await scene.store.credentials() }
            }
            scene.keyring.trouble = nil
            #expect(try await scene.store.credentials() == Self.first)
            scene.keyring.entries = [:]
            #expect(try await scene.store.credentials() == nil)
        }
    }

    @Test("has the old log-in or the new one wherever keeping that ends")
    func crashes() async throws {
        try await Scene.with { scene in
            await scene.store.settle(try await scene.replace(with: Self.first))

            // After the keyring has it.
            let lost = KeyringEntry(id: "lost", file: scene.path)
            try await scene.keyring.keep("second", as: lost, label: "")
            #expect(try await scene.store.credentials() == Self.first)

            // After the file names it.
            let replaced = try await scene.replace(with: Self.second)
            #expect(replaced.credentials == Self.first)
            #expect(scene.keyring.entries.count == 3)
            #expect(try await scene.store.credentials() == Self.second)

            await scene.store.settle(try await scene.replace(with: Self.first))
            #expect(Array(scene.keyring.entries.values) == ["first"])
            #expect(try await scene.store.credentials() == Self.first)
        }
    }

    @Test("that cannot be written leaves nothing in the keyring")
    func fullDisk() async throws {
        let keyring = MemoryKeyring()
        let store = FileCredentialStore(
            path: "/proc/nowhere/login.json", server: Self.server, keyring: keyring,
            world: .live(log: .silent))
        await #expect(throws: FileError.self) {
            try await store.replace(with: Self.first, label: "")
        }
        #expect(keyring.labels.count == 1)
        #expect(keyring.entries.isEmpty)
    }

    @Test(
        "has the token where a keyring may have it, and nobody has heard so; later that is removed")
    func unheard() async throws {
        try await Scene.with { scene in
            scene.keyring.keepsAndFails = true
            await scene.store.settle(try await scene.replace(with: Self.first))
            #expect(try scene.text.contains(#""token":"first""#))
            #expect(try await scene.store.credentials() == Self.first)
            scene.keyring.keepsAndFails = false
            await scene.store.settle(try await scene.replace(with: Self.second))
            #expect(Array(scene.keyring.entries.values) == ["second"])
        }
    }

    @Test("is put back as it was", arguments: [true, false])
    func putBack(wasInKeyring: Bool) async throws {
        try await Scene.with { scene in
            let first = try await scene.replace(with: Self.first, mayUseKeyring: wasInKeyring)
            let text = try scene.text
            let second = try await scene.replace(with: Self.second)
            try await scene.store.putBack(second)
            #expect(try scene.text == text)
            #expect(try await scene.store.credentials() == Self.first)
            #expect(scene.keyring.entries.count == (wasInKeyring ? 1 : 0))
            try await scene.store.putBack(first)
            #expect(!scene.exists)
            #expect(scene.keyring.entries.isEmpty)
        }
    }

    @Test("is put back as it was though the keyring that has it is locked")
    func putBackLocked() async throws {
        try await Scene.with { scene in
            try await scene.replace(with: Self.first)
            scene.keyring.trouble = .locked
            let second = try await scene.replace(with: Self.second)
            #expect(second.credentials == nil)
            #expect(try await scene.store.credentials() == Self.second)
            try await scene.store.putBack(second)
            await #expect(throws: KeyringTrouble.locked) { try await scene.store.credentials() }
            scene.keyring.trouble = nil
            #expect(try await scene.store.credentials() == Self.first)
        }
    }

    @Test("is read again where another log-in takes its place meanwhile")
    func meanwhile() async throws {
        try await Scene.with { scene in
            try await scene.replace(with: Self.first)
            scene.keyring.onNextQuestion {
                // Nobody reads it between these two.
                let replaced = try await scene.replace(with: Self.second)
                await scene.store.settle(replaced)
            }
            #expect(try await scene.store.credentials() == Self.second)
            #expect(Array(scene.keyring.entries.values) == ["second"])
        }
    }

    @Test("is forgotten together with the keyring's entry, and also while that is locked")
    func forget() async throws {
        try await Scene.with { scene in
            try await scene.replace(with: Self.first)
            let other = KeyringEntry(id: "other", file: "/another/file")
            try await scene.keyring.keep("another", as: other, label: "")
            try await scene.store.forget()
            #expect(!scene.exists)
            #expect(scene.keyring.entries == [other: "another"])

            try await scene.replace(with: Self.first)
            scene.keyring.trouble = .locked
            await #expect(throws: KeyringTrouble.locked) { try await scene.store.forget() }
            #expect(!scene.exists)
        }
    }

    @Test("goes to the server that gave it alone, and one that names no server to the domain's")
    func bound() async throws {
        try await Scene.with { scene in
            try await scene.replace(with: StoredCredentials(token: "first", device: "1"))
            #expect(try await scene.store.credentials() == Self.first)
            let questions = scene.keyring.questions
            #expect(try await scene.store(of: "https://elsewhere.local").credentials() == nil)
            #expect(scene.keyring.questions == questions)
            try scene.world.files.replace(
                scene.path, with: Array("{\"token\": \"by hand\"}".utf8))
            #expect(try await scene.store.credentials()?.token == "by hand")
        }
    }

    @Test(
        "that makes no sense is said to be that, and not to be none",
        arguments: ["{\"token\": ", "{}", "{\"device\": \"1\"}", "[]"])
    func damaged(text: String) async throws {
        try await Scene.with { scene in
            try scene.world.files.replace(scene.path, with: Array(text.utf8))
            await #expect(throws: DecodingError.self) { try await scene.store.credentials() }
            try await scene.replace(with: Self.first)
            #expect(try await scene.store.credentials() == Self.first)
        }
    }

    @Test("that cannot be looked at is not said to be none")
    func unseen() async throws {
        let folder = FileManager.default.temporaryDirectory.path
        let name = String(repeating: "n", count: 300)
        let store = FileCredentialStore(
            path: "\(folder)/\(name)", server: Self.server, keyring: MemoryKeyring(),
            world: .live(log: .silent))
        await #expect(throws: FileError.self) { try await store.credentials() }
        await #expect(throws: FileError.self) { try await store.forget() }
    }
}
