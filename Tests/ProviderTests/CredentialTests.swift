import BasketProvider
import BasketSupport
import FileProvider
import Foundation
import Testing

@Suite("A log-in", .timeLimit(.minutes(60)))
struct CredentialTests {
    private static let server = "https://nas.local"
    private static let login = StoredCredentials(token: "a token", server: server)

    @Test("that cannot be read yet is no log-out, and is used as soon as it can be")
    func locked() async throws {
        try await TestServer.with { server, _ in
            let device = try await Device("laptop", server)
            device.credentials.lockedBy = FileError("read", "the keyring", code: EACCES)
            device.restart()
            for _ in 1...3 {
                await #expect { try await device.item(.rootContainer) } throws: {
                    NSFileProviderError(bridging: $0)?.code != .notAuthenticated
                }
            }
            #expect(device.network.count == 0)
            device.credentials.lockedBy = nil
            _ = try await device.item(.rootContainer)
        }
    }

    @Test("is kept in a file that its owner alone may read, and is there again")
    func file() throws {
        let files = LinuxFileSystem()
        let folder = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString)"
        try files.makeFolder(folder)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/login.json"
        let store = FileCredentialStore(path: path, server: Self.server, files: files)
        #expect(try store.credentials() == nil)
        try store.keep(Self.login)
        try store.keep(Self.login)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
        #expect(mode as? Int == 0o600)
        #expect(
            try FileCredentialStore(path: path, server: Self.server, files: files).credentials()
                == Self.login)
        try store.forget()
        #expect(try store.credentials() == nil)
        try store.forget()
    }

    @Test("goes to the server that gave it alone, and one that names no server to the domain's")
    func bound() throws {
        let files = LinuxFileSystem()
        let folder = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString)"
        try files.makeFolder(folder)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/login.json"
        func store(_ server: String) -> FileCredentialStore {
            FileCredentialStore(path: path, server: server, files: files)
        }
        try store(Self.server).keep(StoredCredentials(token: "a token"))
        #expect(try store(Self.server).credentials() == Self.login)
        #expect(try store("https://elsewhere.local").credentials() == nil)
        try files.replace(path, with: Array("{\"token\": \"by hand\"}".utf8))
        #expect(try store(Self.server).credentials()?.token == "by hand")
    }

    @Test("in a file that makes no sense is said to be that, and not to be none")
    func damaged() throws {
        let files = LinuxFileSystem()
        let folder = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString)"
        try files.makeFolder(folder)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let store = FileCredentialStore(
            path: folder + "/login.json", server: Self.server, files: files)
        try files.replace(folder + "/login.json", with: Array("{\"token\": ".utf8))
        #expect(throws: DecodingError.self) { try store.credentials() }
    }

    @Test("in a file that cannot be looked at is not said to be none")
    func unseen() throws {
        let folder = FileManager.default.temporaryDirectory.path
        let name = String(repeating: "n", count: 300)
        let store = FileCredentialStore(
            path: "\(folder)/\(name)", server: Self.server, files: LinuxFileSystem())
        #expect(throws: FileError.self) { try store.credentials() }
        #expect(throws: FileError.self) { try store.forget() }
    }
}
