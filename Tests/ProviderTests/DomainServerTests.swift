import BasketConnection
import BasketModels
import BasketSupport
import Foundation
import Testing

@testable import BasketProvider

@Suite("A domain's server, asked beside its extension", .timeLimit(.minutes(60)))
struct DomainServerTests {
    /// As it is kept by ‘connect’, with a log-in in a file beside the server's data.
    private static func info(_ server: TestServer, loggedIn: Bool = true) async throws -> (
        [String: String], DomainServer.Failure?
    ) {
        let file = server.folder + "/login.json"
        if loggedIn {
            let (_, token) = try await server.connection("laptop")
            _ = try await FileCredentialStore(
                path: file, server: server.url, keyring: MemoryKeyring(), world: server.world
            ).replace(
                with: StoredCredentials(token: token, device: nil, server: server.url), label: "",
                mayUseKeyring: false)
        }
        let info = ["server": server.url, "domain": "Work", "credentials": file]
        return (info, loggedIn ? nil : .loggedOut(address: server.url))
    }

    private static func server(
        _ info: [String: String], _ server: TestServer, keyring: MemoryKeyring = MemoryKeyring()
    ) async throws(DomainServer.Failure) -> DomainServer {
        try await DomainServer(info: info, keyring: keyring, world: server.world)
    }

    private static func make(
        _ name: String, _ kind: ItemKind, in parent: String = "root", _ observer: ServerConnection,
        _ text: String? = nil
    ) async throws -> ItemInfo {
        var request = CreateItemRequest(parent: parent, name: name, kind: kind)
        request.content = text.map { Base64Bytes(Array($0.utf8)) }
        return try await observer.create(request, in: "Work").item
    }

    private static func write(
        _ text: String, to file: ItemInfo, _ observer: ServerConnection
    ) async throws {
        _ = try await observer.putContent(
            .bytes(Array(text.utf8)), of: file.id, in: "Work", base: .version(file.contentVersion))
    }

    @Test("cannot be asked by who is logged out, or does not say where it is")
    func failures() async throws {
        try await TestServer.with { server, _ in
            let (info, expected) = try await Self.info(server, loggedIn: false)
            await #expect(throws: try #require(expected)) {
                _ = try await Self.server(info, server)
            }
            for lacking in ["server", "domain"] {
                var info = info
                info[lacking] = nil
                await #expect {
                    _ = try await Self.server(info, server)
                } throws: { error in
                    if case .misconfigured? = error as? DomainServer.Failure { true } else { false }
                }
            }
            try server.world.files.replace(try #require(info["credentials"]), with: [0x7B])
            await #expect {
                _ = try await Self.server(info, server)
            } throws: { error in
                if case .unreadable? = error as? DomainServer.Failure { true } else { false }
            }
        }
    }

    @Test("knows what files held, and brings it back")
    func versions() async throws {
        try await TestServer.with { server, observer in
            let (info, _) = try await Self.info(server)
            let asked = try await Self.server(info, server)
            let file = try await Self.make("a", .file, observer, "one")
            try await Self.write("two", to: file, observer)
            let versions = try await asked.versions(of: file.id)
            #expect(versions.map(\.standing) == [.current, .earlier])
            #expect(versions.map(\.device) == ["observer", "observer"])
            let restored = try await asked.restore(
                versions[1].version, of: file.id, base: versions[0].version)
            #expect(restored.sha256 == versions[1].sha256)
            #expect(try await asked.versions(of: file.id).first?.device == "laptop")
            let error = await #expect(throws: ConnectionError.self) {
                _ = try await asked.restore(
                    versions[0].version, of: file.id, base: versions[0].version)
            }
            #expect(error?.code == "stale_content")
        }
    }

    @Test("shows the trash and where each was, and brings back from it and from beyond")
    func trash() async throws {
        try await TestServer.with { server, observer in
            let (info, _) = try await Self.info(server)
            let asked = try await Self.server(info, server)
            let begin = server.world.now()
            let outer = try await Self.make("outer", .folder, observer)
            let inner = try await Self.make("inner", .folder, in: outer.id, observer)
            let file = try await Self.make("a", .file, in: inner.id, observer, "text")
            _ = try await observer.trash(file.id, in: "Work")

            let trashed = try await asked.trashed()
            #expect(trashed.map(\.id) == [file.id])
            let home = try #require(trashed.first?.trashedFrom)
            #expect(try await asked.path(of: home) == "outer/inner")
            #expect(try await asked.path(of: "1") == nil)
            #expect(try await asked.restore(file.id).parent == inner.id)

            _ = try await observer.trash(file.id, in: "Work")
            try await asked.emptyTrash()
            #expect(try await asked.trashed().isEmpty)
            #expect(
                try await asked.undelete(since: begin, by: nil)
                    == UndeleteAnswer(restored: 1, skipped: 0))
            #expect(try await asked.trashed().map(\.id) == [file.id])
        }
    }

    @Test("tells the latest changes, in a folder or everywhere, and who wrote")
    func changes() async throws {
        try await TestServer.with { server, observer in
            let (info, _) = try await Self.info(server)
            let asked = try await Self.server(info, server)
            let folder = try await Self.make("folder", .folder, observer)
            let old = try await Self.make("old", .file, in: folder.id, observer, "text")
            let gone = try await Self.make("gone", .folder, observer)
            _ = try await Self.make("deep", .file, in: gone.id, observer, "text")
            let moved = try await Self.make("moved", .folder, in: folder.id, observer)
            _ = try await observer.trash(gone.id, in: "Work")
            try await Self.write("more", to: old, observer)
            var change = ChangeItemRequest()
            change.name = "renamed"
            _ = try await observer.change(moved.id, in: "Work", change)

            let all = try await asked.latestChanges(10, below: nil)
            #expect(all.map(\.path) == ["folder/renamed", "folder/old", "gone", "folder"])
            #expect(all.map(\.kind) == [.changed, .written, .trashed, .created])
            #expect(try await asked.writing(behind: all[1])?.device == "observer")
            #expect(try await asked.writing(behind: all[0]) == nil)
            #expect(all[2].when != nil)
            let some = try await asked.latestChanges(1, below: folder.id)
            #expect(some.map(\.path) == ["folder/renamed"])
            let inFolder = try await asked.latestChanges(10, below: folder.id)
            #expect(inFolder.map(\.path) == ["folder/renamed", "folder/old"])
        }
    }

    @Test(
        "is asked with a log-in of a keyring, which is locked for a while, and forgotten once it is given back"
    )
    func keyring() async throws {
        try await TestServer.with { server, _ in
            let keyring = MemoryKeyring()
            let (_, token) = try await server.connection("laptop")
            let file = server.folder + "/login.json"
            let info = ["server": server.url, "domain": "Work", "credentials": file]
            _ = try await FileCredentialStore(
                path: file, server: server.url, keyring: keyring, world: server.world
            ).replace(with: StoredCredentials(token: token), label: "")
            keyring.trouble = .locked
            await #expect(throws: DomainServer.Failure.hidden(.locked)) {
                _ = try await Self.server(info, server, keyring: keyring)
            }
            keyring.trouble = nil
            let asked = try await Self.server(info, server, keyring: keyring)
            #expect(try await asked.trashed().isEmpty)
            #expect(await asked.logOut())
            #expect(keyring.entries.isEmpty)
            await #expect(throws: DomainServer.Failure.loggedOut(address: server.url)) {
                _ = try await Self.server(info, server, keyring: keyring)
            }
        }
    }

    @Test("forgets the log-in that it is given back")
    func logOut() async throws {
        try await TestServer.with { server, _ in
            let (info, _) = try await Self.info(server)
            let asked = try await Self.server(info, server)
            await asked.logOut()
            let error = await #expect(throws: ConnectionError.self) {
                _ = try await asked.trashed()
            }
            guard case .problem(let problem)? = error else { throw try #require(error) }
            #expect(problem.status == 401)
            await #expect(throws: DomainServer.Failure.loggedOut(address: server.url)) {
                _ = try await Self.server(info, server)
            }
        }
    }
}
