import BasketModels
import BasketStore
import BasketSupport
import BasketUpkeep
import Testing

/// A walk through most of what a server does. Each step can be tried again when it has failed.
private struct Walk {
    let server: TestServer
    /// What each live file must hold.
    var files: [ItemID: [UInt8]] = [:]
    private var large = ItemID(rawValue: 0)
    private var folder = ItemID(rawValue: 0)

    typealias Step = (name: String, run: @Sendable (inout Walk) async throws -> Void)

    static let steps: [Step] = [
        ("make a folder", { $0.folder = try await $0.server.makeFolder("folder") }),
        ("create a large file", { try await $0.create("large", bytes(5000, seed: 1)) }),
        ("create a small file", { try await $0.create("small", bytes(100, seed: 2)) }),
        ("replace", { try await $0.replace(bytes(4096, seed: 3), isDelta: false) }),
        ("send a delta", { try await $0.replace(bytes(6144, seed: 3), isDelta: true) }),
        ("keep a conflict", { try await $0.keepConflict() }),
        ("describe", { try await $0.describe() }),
        ("move", { try await $0.move() }),
        ("trash", { try await $0.trash() }),
        ("restore", { try await $0.restore() }),
        ("resolve", { try await $0.resolve() }),
        ("delete", { try await $0.delete() }),
        ("undelete", { try await $0.undelete() }),
        ("shrink", { try await $0.replace(bytes(1024, seed: 3), isDelta: false) }),
        ("collect", { _ = try await $0.server.collect(.atOnce) }),
        ("back up", { try await $0.backUp() }),
    ]

    init(_ server: TestServer) {
        self.server = server
    }

    private mutating func create(_ name: String, _ content: [UInt8]) async throws {
        let id = try await server.put(name, content, in: folder)
        if name == "large" { large = id }
        files[id] = content
    }

    private mutating func replace(_ content: [UInt8], isDelta: Bool) async throws {
        try await server.replace(large, content, isDelta: isDelta)
        files[large] = content
    }

    private func change(
        _ body: @escaping @Sendable (Transaction, Domain) throws -> Void
    ) async throws {
        try await server.write(body)
    }

    private func keepConflict() async throws {
        let content = try await server.stage(bytes(3000, seed: 4))
        try await change { [large] in
            _ = try $0.replaceContent(
                of: large, with: content, condition: .baseOrKeep(Version(rawValue: 1)), in: $1)
        }
    }

    private func describe() async throws {
        var metadata = MetadataChange()
        metadata.tags = .set(["red"])
        metadata.xattrs = ["user.a": Base64Bytes([1]), "user.b": Base64Bytes([2])]
        let set = metadata
        var other = MetadataChange()
        other.xattrs["user.a"] = Base64Bytes?.none
        let removed = other
        try await change { [large] in
            _ = try $0.modify(large, ItemChange(metadata: set), in: $1)
            _ = try $0.modify(large, ItemChange(metadata: removed), in: $1)
            try $0.setThumbnail(
                Thumbnail(type: "image/png", data: [1]), of: large, base: nil, in: $1)
        }
    }

    private func move() async throws {
        try await change { [large] in
            _ = try $0.modify(large, ItemChange(name: "moved", parent: $1.root), in: $1)
        }
    }

    private func trash() async throws {
        try await change { [large] in try $0.trash(large, in: $1) }
    }

    private func restore() async throws {
        try await change { [large] in try $0.restore(large, to: nil, name: nil, in: $1) }
    }

    private mutating func resolve() async throws {
        let made = try await server.write { [large] transaction, domain in
            let item = try transaction.db.item(large, in: domain)
            let versions = try transaction.db.versions(of: item)
            return try transaction.resolveConflicts(
                of: large, keep: versions.filter { $0.standing != .earlier }.map(\.version),
                base: item.contentVersion, in: domain)
        }
        for id in made { files[id] = bytes(3000, seed: 4) }
    }

    private func delete() async throws {
        server.clock.advance(.seconds(1))
        try await server.delete(folder)
    }

    private func undelete() async throws {
        let now = server.clock.now
        try await change {
            _ = try $0.undelete(
                Undeletion(since: now, device: nil, account: nil), in: $1)
        }
    }

    private func backUp() async throws {
        try await Backup(
            of: server.folder, into: server.path("backup"), world: server.world
        ).run()
    }

    /// The files that are there now are whole.
    func holds(deleted: Bool) async throws -> Bool {
        let domain = try server.domain()
        for (id, content) in files {
            let isThere = (try? server.store.read { try $0.item(id, in: domain) }) != nil
            if deleted, !isThere { continue }
            guard try await server.contents(of: id) == content else { return false }
        }
        return true
    }
}

@Suite("Every failure, once")
struct EveryFailureTests {
    @Test("leaves all or nothing, and does not come back", arguments: Fault.Kind.allCases)
    func each(kind: Fault.Kind) async throws {
        var place = 0
        while try await walk(kind, failingAfter: place) { place += 1 }
        #expect(place > 20)
    }

    /// False when nothing failed.
    private func walk(_ kind: Fault.Kind, failingAfter place: Int) async throws -> Bool {
        let fault = Fault(kind, after: place)
        let server = try await TestServer(
            in: TestHome(), files: FaultyFileSystem(fault)
        ) { FaultyWriter(try Store.openConnection($0), fault) }
        var walk = Walk(server)
        var failed: [String] = []
        fault.begin()
        for (name, run) in Walk.steps {
            do {
                try await run(&walk)
            } catch {
                #expect(fault.hasHappened, "\(kind) \(place), \(name): \(error)")
                failed.append(name)
                let found = try await server.check().filter { $0.severity != .leak }
                #expect(found == [], "\(kind) \(place), \(name)")
                #expect(try await walk.holds(deleted: true), "\(kind) \(place), \(name)")
                try await run(&walk)
            }
        }
        fault.end()
        // What nobody waits for may fail in silence: a draft that is thrown away.
        #expect(failed.count <= 1, "\(kind) \(place)")
        #expect(try await walk.holds(deleted: false), "\(kind) \(place)")
        let items = try server.domain().items
        #expect(items == Int64(walk.files.count) + 1, "\(kind) \(place), after \(failed)")
        for _ in 0..<2 { _ = try await server.collect(.atOnce) }
        #expect(try await server.check() == [], "\(kind) \(place), after \(failed)")
        let target = DataFolder(path: server.path("restored"))
        let findings = try await Restore(
            from: server.path("backup"), into: target, world: server.world
        ).run(isDeep: true)
        #expect(findings == [], "\(kind) \(place), after \(failed)")
        return fault.hasHappened
    }
}
