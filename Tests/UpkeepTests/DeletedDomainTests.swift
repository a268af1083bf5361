import BasketModels
import BasketStore
import BasketSupport
import BasketUpkeep
import Testing

@Suite("What a deleted domain held")
struct DeletedDomainTests {
    /// Contents of every kind, earlier versions, conflicts, tombstones, a tree; all in a domain that is
    /// deleted then, and one file in another.
    private static func prepare(_ server: TestServer) async throws -> [UInt8] {
        let folder = try await server.makeFolder("folder")
        let deep = try await server.makeFolder("deep", in: folder)
        let large = try await server.put("large", bytes(6000, seed: 1), in: deep)
        try await server.replace(large, bytes(4096, seed: 2), isDelta: true)
        let small = try await server.put("small", bytes(100, seed: 3), in: deep)
        try await server.replace(small, bytes(101, seed: 4))
        let conflict = try await server.stage(bytes(2000, seed: 5))
        try await server.delete(try await server.put("gone", bytes(3000, seed: 6), in: folder))
        try await server.write { transaction, domain in
            _ = try transaction.replaceContent(
                of: large, with: conflict, condition: .baseOrKeep(Version(rawValue: 1)), in: domain)
            try transaction.setThumbnail(
                Thumbnail(type: "image/png", data: [1]), of: small, base: nil, in: domain)
            _ = try transaction.indexForSearch(domain: domain.id, limit: 100)
        }
        let kept = bytes(200, seed: 7)
        try await server.store.write(as: server.identity) { [identity = server.identity] in
            _ = try $0.createDomain("Kept", caseRule: .posix, hasTrash: true, quota: nil)
            let domain = try $0.db.domain("Kept", for: identity)
            _ = try $0.create(
                ItemCreation(
                    parent: domain.root, name: "kept", kind: .file, content: .init(inline: kept)),
                in: domain)
        }
        try await server.write { try $0.deleteDomain($1) }
        return kept
    }

    private static func policy(stepSize: Int) -> CollectionPolicy {
        var policy = CollectionPolicy.atOnce
        policy.stepSize = stepSize
        return policy
    }

    @Test("goes in steps, wherever the server dies between them")
    func everywhere() async throws {
        let deaths = try await CollectionDeaths.walk(Self.policy(stepSize: 4)) { server in
            try await Self.prepare(server)
        } judge: { server, kept, death async throws in
            #expect(try await server.blobFiles() == [], "died after \(death)")
            for (table, rows) in [("domain", 1), ("item", 3), ("content", 1), ("chunk", 0)] {
                #expect(try server.count(table) == rows, "\(table), died after \(death)")
            }
            let domain = try server.domain("Kept")
            let content = try server.store.read { try $0.item(at: ["kept"], in: domain).content }
            #expect(try await server.bytes(of: try #require(content)) == kept)
        }
        #expect(deaths > 15)
    }

    @Test("is not counted again by a repair")
    func repaired() async throws {
        let server = try await TestServer()
        _ = try await Self.prepare(server)
        _ = try await Repair(store: server.store).run()
        let totals = try server.store.read { try $0.totals() }
        #expect(totals.domains == 1)
        #expect(totals.used == 200)
        #expect(try server.store.read { try $0.account(named: "ann").used } == 200)
        #expect(try await server.check() == [])
    }
}
