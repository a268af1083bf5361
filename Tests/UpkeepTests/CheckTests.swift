import BasketBlobs
import BasketDatabase
import BasketModels
import BasketStore
import BasketSupport
import BasketUpkeep
import Testing

@Suite("A check")
struct CheckTests {
    /// Files large and small, versions, a conflict, a folder in a folder, attributes, a thumbnail,
    /// trash, a tombstone.
    static func busyServer() async throws -> TestServer {
        let server = try await TestServer()
        let folder = try await server.makeFolder("folder")
        let inner = try await server.makeFolder("inner", in: folder)
        let large = try await server.put("large", bytes(5000, seed: 1))
        try await server.put("copy", bytes(5000, seed: 1), in: inner)
        try await server.replace(large, bytes(5000, seed: 1) + bytes(3000, seed: 2))
        try await server.put("small", bytes(100, seed: 3), in: folder)
        let kept = try await server.stage(bytes(3000, seed: 4))
        _ = try await server.write { transaction, domain in
            try transaction.replaceContent(
                of: large, with: kept,
                condition: .baseOrKeep(Version(rawValue: 1)), in: domain)
        }
        try await server.write { transaction, domain in
            var metadata = MetadataChange()
            metadata.xattrs = ["user.a": Base64Bytes([1, 2])]
            _ = try transaction.modify(large, ItemChange(metadata: metadata), in: domain)
            try transaction.setThumbnail(
                Thumbnail(type: "image/png", data: [1, 2, 3]), of: large, base: nil, in: domain)
        }
        let trashed = try await server.put("trashed", bytes(50, seed: 5))
        try await server.write { try $0.trash(trashed, in: $1) }
        let deleted = try await server.put("deleted", bytes(2000, seed: 6), in: folder)
        try await server.delete(deleted)
        _ = try await server.store.write { [number = try server.domain().id] in
            try $0.indexForSearch(domain: number, limit: 1000)
        }
        return server
    }

    @Test("finds nothing in a busy server's folder")
    func healthy() async throws {
        let server = try await Self.busyServer()
        #expect(try await server.check() == [])
    }

    @Test(
        "finds what is wrong in the rows",
        arguments: [
            (
                "UPDATE content SET refs = refs + 1 WHERE id = (SELECT min(id) FROM content)",
                ["content_references"]
            ),
            ("UPDATE content SET dead = 1 WHERE refs = 1", ["content_dead"]),
            (
                "UPDATE chunk SET refs = refs + 1 WHERE id = (SELECT min(id) FROM chunk)",
                ["chunk_references"]
            ),
            ("UPDATE chunk SET dead = 1 WHERE id = (SELECT min(id) FROM chunk)", ["chunk_dead"]),
            (
                """
                DELETE FROM content_chunk WHERE start = 1024
                    AND content = (SELECT content FROM item WHERE name = 'copy');
                UPDATE chunk SET refs = (SELECT count(*) FROM content_chunk WHERE chunk = chunk.id)
                """, ["content_incomplete"]
            ),
            (
                "UPDATE content_chunk SET start = start + 1 WHERE start = 2048",
                ["content_incomplete"]
            ),
            (
                "UPDATE content SET size = size + 1 WHERE data IS NULL",
                ["content_incomplete", "item_content", "version_content"]
            ),
            (
                "UPDATE content SET data = CAST(x'00' || substr(data, 2) AS BLOB) WHERE data IS NOT NULL",
                ["content_damaged"]
            ),
            ("UPDATE item SET hash = zeroblob(32) WHERE name = 'copy'", ["item_content"]),
            ("UPDATE version SET hash = zeroblob(32)", ["version_content"]),
            ("UPDATE version SET domain = 0", ["version_content"]),
            (
                "UPDATE item SET size = size + 1 WHERE name = 'small'",
                ["domain_count", "item_content"]
            ),
            ("UPDATE domain SET used = used + 1", ["domain_count"]),
            ("UPDATE domain SET history = history - 1", ["domain_count"]),
            ("UPDATE domain SET items = items + 1", ["domain_count"]),
            ("UPDATE item SET children = children + 1 WHERE name = 'folder'", ["item_count"]),
            ("UPDATE item SET conflicts = 0 WHERE name = 'large'", ["item_count"]),
            ("UPDATE item SET xattrs = 0 WHERE name = 'large'", ["item_count"]),
            ("UPDATE item SET thumbnail = NULL WHERE name = 'large'", ["item_thumbnail"]),
            ("UPDATE item SET key = x'41' WHERE name = 'small'", ["item_key"]),
            ("UPDATE item SET key = x'41' WHERE name = 'trashed'", ["item_key"]),
            ("UPDATE item SET mode = 8 << 12 WHERE name = 'small'", ["item_field"]),
            ("UPDATE item SET tags = '[' WHERE name = 'small'", ["item_field"]),
            ("UPDATE item SET tags = '{}' WHERE name = 'small'", ["item_field"]),
            ("UPDATE item SET target = 'x' WHERE name = 'small'", ["item_field"]),
            (
                "UPDATE item SET content_version = (SELECT max(id) FROM version) WHERE name = 'small'",
                ["item_field"]
            ),
            ("UPDATE item SET rank = rank + 1000 WHERE name = 'small'", ["item_rank"]),
            ("UPDATE domain SET pruned = rank + 1", ["domain_pruned"]),
            ("UPDATE server SET reserved = 5", ["numbers_reserved"]),
            (
                """
                UPDATE item SET parent = (SELECT id FROM item WHERE name = 'inner'),
                    children = 2 WHERE name = 'folder';
                UPDATE item SET children = children - 1 WHERE name = 'root';
                UPDATE item SET children = 2 WHERE name = 'inner'
                """, ["item_lost"]
            ),
            (
                """
                UPDATE item SET parent = (SELECT id FROM item WHERE name = 'copy')
                WHERE name = 'small'
                """, ["item_count", "item_parent"]
            ),
            ("UPDATE member SET role = 'writer'", ["domain_incomplete"]),
            (
                "DELETE FROM search WHERE rowid = (SELECT id FROM item WHERE name = 'copy')",
                ["search_index"]
            ),
            (
                "INSERT INTO search (rowid, name, tags, scope) VALUES (7, 'x', '', 'd1')",
                ["search_index"]
            ),
            ("UPDATE chunk SET position = 1 << 40", ["chunk_outside_blob"]),
        ])
    func rows(sql: String, codes: [String]) async throws {
        let server = try await Self.busyServer()

        try await server.damage(sql)

        let found = try await server.check(isDeep: false)
        #expect(Set(found.map(\.code)).sorted() == codes, "\(found.map(\.message))")
    }

    @Test("finds a row that names one that is not there")
    func brokenReference() async throws {
        let server = try await Self.busyServer()
        try await server.store.write { try $0.db.execute("PRAGMA user_version") }
        try breakReference(server.folder.database)

        let found = try await server.check(isDeep: false)
        #expect(found.contains { $0.code == "broken_reference" })
    }

    private func breakReference(_ path: String) throws {
        let db = try Connection(path: path, mode: .writer)
        try db.execute("PRAGMA foreign_keys = OFF; DELETE FROM blob")
    }

    @Test("finds a file that is missing, and which files suffer")
    func missingFile() async throws {
        let server = try await TestServer()
        let item = try await server.put("a", bytes(3000, seed: 1))
        let blob = try #require(try await server.blobFiles().first)

        try await server.blobs.remove(blob)

        let found = try await server.check()
        #expect(found == [.blobMissing(blob), .fileAffected(item, name: "a")])
    }

    @Test("finds a byte that changed, when it reads everything")
    func changedByte() async throws {
        let server = try await TestServer()
        let item = try await server.put("a", bytes(3000, seed: 1))
        let blob = try #require(try await server.blobFiles().first)
        try FileDamage.flip(server.blobPath(blob), at: 1500)

        #expect(try await server.check(isDeep: false) == [])
        let found = try await server.check(isDeep: true)
        #expect(found.map(\.code) == ["chunk_damaged", "file_affected"])
        #expect(found.last == .fileAffected(item, name: "a"))
    }

    @Test("finds a file that lost its end")
    func truncated() async throws {
        let server = try await TestServer()
        try await server.put("a", bytes(3000, seed: 1))
        let blob = try #require(try await server.blobFiles().first)
        try FileDamage.shorten(server.blobPath(blob), to: 2000)

        let shallow = try await server.check(isDeep: false)
        #expect(shallow == [.blobSize(blob, stored: 3000, actual: 2000)])
        let deep = try await server.check(isDeep: true)
        #expect(Set(deep.map(\.code)) == ["blob_size", "chunk_damaged", "file_affected"])
    }

    @Test("finds files that belong to nothing, once no request can be about to name them")
    func leftover() async throws {
        let server = try await TestServer()
        server.clock.set(World.live(log: .silent).now())
        let content = try await server.stage(bytes(3000, seed: 1))
        let blob = try #require(content.blob)

        #expect(try await server.check() == [])
        server.clock.advance(.seconds(3700))
        let id = BlobID(rawValue: UInt64(bitPattern: blob.number))
        #expect(try await server.check() == [.blobUnnamed(id, size: 3000)])
    }

    @Test("says what is no database at all")
    func noDatabase() async throws {
        let server = try await TestServer()
        let path = server.path("broken.db")
        let file = try LinuxFileSystem().create(path)
        try file.write(bytes(8192, seed: 9), at: 0)

        let check = Check(database: path, blobs: server.blobs, world: server.world)
        let found = try await check.run(isDeep: false)
        #expect(found.first?.code == "database")
        #expect(found.first?.severity == .damage)
    }

    @Test("lists so many findings of a kind, and counts the others")
    func manyFindings() async throws {
        let server = try await TestServer()
        try await server.write { transaction, domain in
            for index in 0..<1010 {
                _ = try transaction.create(
                    ItemCreation(parent: domain.root, name: "f\(index)", kind: .folder),
                    in: domain)
            }
        }
        try await server.damage("UPDATE item SET children = 3 WHERE parent IS NOT NULL")

        let found = try await server.check(isDeep: false)
        #expect(found.count == 1001)
        #expect(found.last == .more(code: "item_count", count: 10, .count))
    }

    @Test("finds, when it reads everything, chunks that make another file")
    func otherOrder() async throws {
        let server = try await Self.busyServer()
        try await server.damage(
            """
            CREATE TEMP TABLE one AS SELECT content AS id FROM item WHERE name = 'copy';
            UPDATE content_chunk SET start = -1 WHERE start = 1024 AND content IN one;
            UPDATE content_chunk SET start = 1024 WHERE start = 2048 AND content IN one;
            UPDATE content_chunk SET start = 2048 WHERE start = -1 AND content IN one;
            """)

        #expect(try await server.check(isDeep: false) == [])
        let found = try await server.check()
        #expect(Set(found.map(\.code)) == ["content_damaged", "file_affected"])
    }

    @Test("is a line of JSON for each finding")
    func json() {
        var writer = JSONWriter()
        Finding.contentDamaged(5).write(to: &writer)
        #expect(
            String(decoding: writer.bytes, as: UTF8.self) == """
                {"code":"content_damaged","severity":"damage",\
                "message":"content 5 is not what its hash says"}
                """)
    }
}

@Suite("A repair")
struct RepairTests {
    @Test(
        "mends what follows from the rest",
        arguments: [
            "UPDATE content SET refs = refs + 1, dead = 3",
            "UPDATE chunk SET refs = 0, dead = 3",
            "UPDATE item SET children = 9, conflicts = 9, xattrs = 9",
            "UPDATE item SET thumbnail = NULL",
            "UPDATE domain SET used = 1, history = 2, items = 3",
            "UPDATE item SET rank = rank + 1000",
            "UPDATE domain SET pruned = rank + 1",
            "UPDATE server SET reserved = 5",
            "INSERT INTO search (rowid, name, tags, scope) VALUES (7, 'x', '', 'd1')",
        ])
    func mends(sql: String) async throws {
        let server = try await CheckTests.busyServer()
        try await server.damage(sql)
        #expect(try await server.check() != [])

        _ = try await Repair(store: server.store).run()

        #expect(try await server.check() == [])
    }

    @Test("changes nothing where nothing is wrong")
    func nothing() async throws {
        let server = try await CheckTests.busyServer()
        #expect(try await Repair(store: server.store).run() == 0)
    }
}
