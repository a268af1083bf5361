import BasketConnection
import BasketContent
import BasketModels
import BasketSupport
import Testing

@Suite("A connection to a server", .timeLimit(.minutes(60)))
struct ServerConnectionTests {
    @Test("knows the server, the account and its devices")
    func account() async throws {
        try await TestServer.with { ada, _ in
            let server = try await ada.server()
            #expect(server.api == "v1" && server.features.contains("delta"))
            #expect(server.limits["batchOperations"] == 1000)
            let device = try #require(try await ada.devices().first)
            #expect(device.name == "laptop" && device.current)

            var change = ChangeAccountRequest()
            change.displayName = "Ada Lovelace"
            #expect(try await ada.changeAccount("ada", change).displayName == "Ada Lovelace")
            #expect(try await ada.account("ada").role == .administrator)

            let eve = try await ada.createAccount(
                CreateAccountRequest(name: "eve", password: TestServer.password))
            #expect(eve.role == .member)
            #expect(try await ada.accounts().map(\.name) == ["ada", "eve"])
            try await ada.deleteAccount("eve")
            #expect(try await ada.accounts().map(\.name) == ["ada"])

            try await ada.logOut()
            await #expect(throws: Code("wrong_credentials")) {
                try await coded { try await ada.devices() }
            }
        }
    }

    @Test("revokes a device")
    func revoke() async throws {
        try await TestServer.with { ada, _ in
            let phone = try await ada.with(.password(account: "ada", TestServer.password)).logIn(
                LogInRequest(account: nil, password: nil, device: "phone"))
            try await ada.revoke(phone.device)
            await #expect(throws: Code("wrong_credentials")) {
                try await coded { try await ada.with(.token(phone.token)).devices() }
            }
        }
    }

    @Test("makes, changes, shares and deletes domains")
    func domains() async throws {
        try await TestServer.with { ada, _ in
            var request = CreateDomainRequest(name: "Fotos für Oma/Opa?")
            request.caseRule = .portable
            request.quota = 1 << 30
            request.name = "Fotos für Oma"
            let made = try await ada.createDomain(request)
            #expect(made.caseRule == .portable && made.quota == 1 << 30 && made.role == .owner)
            #expect(try await ada.domains().map(\.name) == ["Fotos für Oma", "Work"])

            var change = ChangeDomainRequest()
            change.quota = .clear
            #expect(try await ada.changeDomain("Fotos für Oma", change).quota == nil)
            #expect(try await ada.domain(made.id).name == "Fotos für Oma")
            let members = try await ada.members(of: made.id)
            #expect(members.map(\.account) == ["ada"] && members.first?.role == .owner)
            await #expect(throws: Code("no_such_account")) {
                try await coded { try await ada.setMember("eve", of: made.id, role: .reader) }
            }
            await #expect(throws: Code("no_such_account")) {
                try await coded { try await ada.removeMember("eve", of: made.id) }
            }
            _ = try await ada.createAccount(
                CreateAccountRequest(name: "eve", password: TestServer.password))
            let eve = try await ada.setMember("eve", of: made.id, role: .reader)
            #expect(eve.account == "eve" && eve.role == .reader)
            #expect(try await ada.members(of: made.id).map(\.account) == ["ada", "eve"])
            try await ada.deleteDomain(made.id)
            #expect(try await ada.domains().count == 1)
        }
    }

    @Test("makes, lists, changes, throws away and brings back items")
    func items() async throws {
        try await TestServer.with { ada, _ in
            let folder = try await ada.create(
                CreateItemRequest(parent: "root", name: "Photos", kind: .folder), in: "Work")
            var request = CreateItemRequest(
                parent: folder.item.id, name: "Größe \"1\".txt", kind: .file)
            request.content = Base64Bytes(Array("hello".utf8))
            request.metadata.mode = .set(try #require(FileMode(rawValue: 0o600)))
            request.metadata.tags = .set(["a b", "ü"])
            request.metadata.flags = .set([.hidden])
            request.metadata.xattrs = ["user.note": Base64Bytes([0, 255])]
            let file = try await ada.create(request, in: "Work").item
            #expect(file.parent == folder.item.id && file.name == "Größe \"1\".txt")
            #expect(file.sha256 == ContentHash(of: Array("hello".utf8)) && file.size == 5)
            #expect(file.mode?.rawValue == 0o600 && file.tags == ["a b", "ü"])
            #expect(file.flags == [.hidden] && file.xattrs["user.note"] == Base64Bytes([0, 255]))
            #expect(try await ada.item(file.id, in: "Work").id == file.id)
            #expect(try await ada.item("root", in: "Work").id == "root")

            let page = try await ada.children(of: "root", in: "Work", limit: 1)
            #expect(page.items.map(\.id) == [folder.item.id] && page.next == nil)
            var change = ChangeItemRequest()
            change.base = file.metadataVersion
            change.name = "b.txt"
            change.metadata.tags = .clear
            let changed = try await ada.change(file.id, in: "Work", change)
            #expect(changed.item.name == "b.txt" && changed.item.tags.isEmpty)
            change.name = "c.txt"
            #expect(try await ada.change(file.id, in: "Work", change).notApplied == ["name"])
            #expect(try await ada.search("b.txt", in: "Work").items.map(\.id) == [file.id])

            #expect(try await ada.trash(file.id, in: "Work").item.parent == "trash")
            #expect(try await ada.restore(file.id, in: "Work").item.parent == folder.item.id)
            await #expect(throws: Code("folder_not_empty")) {
                try await coded { try await ada.delete(folder.item.id, in: "Work") }
            }
            let since = try #require(file.created)
            try await ada.delete(folder.item.id, in: "Work", recursive: true)
            #expect(try await ada.undelete(in: "Work", UndeleteRequest(since: since)).restored == 2)
        }
    }

    @Test("reads lists to their end, however many parts they come in")
    func longLists() async throws {
        try await TestServer.with { ada, _ in
            let item = try await ada.create(
                CreateItemRequest(parent: "root", name: "a", kind: .file), in: "Work"
            ).item.id
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<1005 {
                    if number >= 16 { try await group.next() }
                    group.addTask {
                        _ = try await ada.putContent(
                            .bytes(Array("\(number)".utf8)), of: item, in: "Work", base: .any)
                    }
                }
                try await group.waitForAll()
            }

            let versions = try await ada.versions(of: item, in: "Work")

            #expect(Set(versions.map(\.version)).count == 1005)
        }
    }

    @Test("tells which item stands in the way")
    func taken() async throws {
        try await TestServer.with { ada, _ in
            let request = CreateItemRequest(parent: "root", name: "a", kind: .folder)
            let first = try await ada.create(request, in: "Work").item
            do throws(ConnectionError) {
                _ = try await ada.create(request, in: "Work")
                Issue.record("a name was given twice")
            } catch {
                guard case .problem(let problem) = error else { throw error }
                #expect(problem.status == 409 && problem.code == "name_taken")
                #expect(problem.existing == first.id && problem.requestId != nil)
                #expect(!error.message.isEmpty)
            }
        }
    }

    @Test("does many operations at once, and tells of each")
    func batch() async throws {
        try await TestServer.with { ada, _ in
            let create = BatchOperation.create(
                CreateItemRequest(parent: "root", name: "a", kind: .folder))
            let loose = try await ada.batch(BatchRequest(operations: [create, create]), in: "Work")
            #expect(loose.results.map(\.status) == [201, 409])
            #expect(loose.results[0].body?.item.name == "a")
            #expect(loose.results[1].problem?.code == "name_taken")

            let strict = try await ada.batch(
                BatchRequest(
                    operations: [
                        .create(CreateItemRequest(parent: "root", name: "b", kind: .folder)),
                        create,
                        .delete(item: "root", base: nil, recursive: true),
                        .trash(item: "nothing", TrashRequest()),
                        .restore(item: "nothing", RestoreRequest()),
                        .change(item: "nothing", ChangeItemRequest()),
                    ], atomic: true), in: "Work")
            #expect(strict.results.first?.problem?.code == "undone")
            #expect(try await ada.children(of: "root", in: "Work").items.count == 1)
        }
    }

    @Test("locks, and keeps thumbnails, versions and conflicts")
    func versions() async throws {
        try await TestServer.with { ada, _ in
            let file = try await ada.create(
                CreateItemRequest(parent: "root", name: "a", kind: .file), in: "Work"
            ).item
            let locks = try await ada.takeLock(
                on: file.id, in: "Work", LockRequest(seconds: 90, note: "here"))
            #expect(locks.map(\.note) == ["here"])
            #expect(try await ada.locks(on: file.id, in: "Work") == locks)
            #expect(try await ada.item(file.id, in: "Work").locks == locks)
            try await ada.giveUpLock(on: file.id, in: "Work")
            #expect(try await ada.locks(on: file.id, in: "Work").isEmpty)

            let one = try await ada.putContent(
                .bytes([1]), of: file.id, in: "Work", base: .version(file.contentVersion)
            ).item
            let picture = Thumbnail(
                type: "image/png", bytes: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0])
            _ = try await ada.putThumbnail(
                picture, of: file.id, in: "Work", base: one.contentVersion)
            let kept = try #require(try await ada.thumbnail(of: file.id, in: "Work"))
            #expect(kept.bytes == picture.bytes && kept.type == "image/png")
            #expect(try await ada.thumbnail(of: file.id, in: "Work", unless: kept.tag) == nil)

            let phone = ada.with(.password(account: "ada", TestServer.password))
            let answer = try await phone.putContent(
                .bytes([2]), of: file.id, in: "Work", base: .versionOrKeep(file.contentVersion))
            let conflict = try #require(answer.conflict)
            await #expect(throws: Code("stale_content")) {
                try await coded {
                    try await phone.putContent(
                        .bytes([3]), of: file.id, in: "Work", base: .version(file.contentVersion))
                }
            }
            let versions = try await ada.versions(of: file.id, in: "Work")
            #expect(Set(versions.map(\.standing)) == [.conflict, .current])
            let resolved = try await ada.resolveConflicts(
                of: file.id, in: "Work",
                ResolveConflictsRequest(
                    keep: [one.contentVersion, conflict], base: one.contentVersion))
            #expect(resolved.created?.count == 1)
            let two = try await ada.putContent(.bytes([4]), of: file.id, in: "Work", base: .any)
                .item
            let back = try await ada.restoreVersion(
                one.contentVersion, of: file.id, in: "Work", base: two.contentVersion)
            #expect(back.item.sha256 == ContentHash(of: [1]))
        }
    }

    @Test("reads changes by pages, in a stream, and as they come")
    func changes() async throws {
        try await TestServer.with { ada, _ in
            let start = try await ada.anchor(of: "Work")
            for name in ["a", "b", "c"] {
                _ = try await ada.create(
                    CreateItemRequest(parent: "root", name: name, kind: .folder), in: "Work")
            }
            let page = try await ada.changes(in: "Work", since: start, limit: 2)
            #expect(page.items.map(\.name) == ["a", "b"] && page.more)
            var names: [String] = []
            let end = try await ada.allChanges(in: "Work", since: page.anchor) { items in
                names += items.map(\.name)
            }
            #expect(names == ["c"])
            async let next = ada.changes(in: "Work", since: end, waitingSeconds: 30)
            _ = try await ada.create(
                CreateItemRequest(parent: "root", name: "d", kind: .folder), in: "Work")
            #expect(try await next.items.map(\.name) == ["d"])
            _ = try await ada.resetAnchor(of: "Work")
            await #expect(throws: Code("anchor_expired")) {
                try await coded { try await ada.changes(in: "Work", since: end) }
            }
        }
    }
}
