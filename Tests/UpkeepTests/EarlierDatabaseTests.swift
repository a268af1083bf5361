import BasketContent
import BasketDatabase
import BasketModels
import BasketStore
import BasketSupport
import BasketUpkeep
import Testing

@Suite("A database of an earlier version")
struct EarlierDatabaseTests {
    private static let latest = EarlierDatabase.steps.count

    /// A data folder with such a database.
    private func make(version: Int, besides sql: String = "") throws -> (TestHome, DataFolder) {
        let home = try TestHome()
        let folder = DataFolder(path: home.path + "/data")
        try folder.create(LinuxFileSystem())
        let db = try Connection(path: folder.database, mode: .writer)
        try db.execute(EarlierDatabase.sql(version: version) + sql)
        return (home, folder)
    }

    /// Tables and indices, without the blanks that SQLite keeps as they were written.
    private func schema(_ path: String) throws -> [String] {
        let db = try Connection(path: path, mode: .reader)
        return try db.all(
            "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'search%'"
        ) { row throws(SQLiteError) in
            let sql: String = try row[0]
            return sql.split(separator: "\n")
                .map {
                    $0.split(separator: "--", maxSplits: 1, omittingEmptySubsequences: false)[0]
                }
                .joined().filter { !$0.isWhitespace }
        }.sorted()
    }

    @Test("is known for each version, up to the present one")
    func known() async throws {
        let server = try await TestServer()
        let (home, folder) = try make(version: Self.latest)
        let version = try server.store.read { try $0.schemaVersion() }
        #expect(version == Self.latest, "a new step needs its text in EarlierDatabase")
        #expect(try schema(folder.database) == schema(server.folder.database))
        withExtendedLifetime(home) {}
    }

    @Test("is brought up to date, and keeps what it held", arguments: 1...Self.latest)
    func migrated(version: Int) async throws {
        let (home, folder) = try make(version: version)
        let world = TestClock(seed: 1).world(files: LinuxFileSystem())
        let store = try await Store.open(folder.database, world: world)
        defer { store.close() }
        let blobs = try folder.openBlobs(world: world, reserveBytes: 0)
        func check() async throws -> [Finding] {
            try await Check(database: folder.database, blobs: blobs, world: world)
                .run(isDeep: true)
        }
        #expect(try await check() == [])
        let identity = Identity(
            account: 2, accountName: "ann", role: .administrator, device: 3, deviceName: "laptop")
        let domain = try store.read { try $0.domain("Work", for: identity) }
        let file = try store.read { try $0.item(at: ["folder", "file"], in: domain) }
        let versions = try store.read { try $0.versions(of: file) }
        #expect(versions.map(\.standing) == [.current, .conflict, .earlier])
        #expect(versions.map(\.size) == [3, 6, 6])
        #expect(try store.read { try $0.extendedAttributes(of: file.id).map(\.name) } == ["user.a"])

        let restored = try await store.write(as: identity) { transaction in
            _ = try transaction.replaceContent(
                of: file.id, with: StagedContent(inline: [1]), condition: .any, in: domain)
            return try transaction.undelete(
                Undeletion(since: Timestamp(seconds: 0), device: nil, account: nil), in: domain
            ).restored
        }
        #expect(restored == 1)
        #expect(try await check() == [])
        #expect(try Connection(path: folder.database, mode: .reader).schemaVersion() == Self.latest)
        withExtendedLifetime(home) {}
    }

    @Test("stays as it was when it cannot be brought up to date", arguments: 1..<Self.latest)
    func halfWay(version: Int) async throws {
        // In the way of the last step.
        let (home, folder) = try make(
            version: version, besides: "ALTER TABLE item ADD COLUMN sent INTEGER;")
        #expect(throws: SQLiteError.self) { try Store.openConnection(folder.database) }

        let db = try Connection(path: folder.database, mode: .writer)
        #expect(try db.schemaVersion() == Self.latest - 1, "the steps before are whole")
        try db.execute("ALTER TABLE item DROP COLUMN sent")
        try Store.openConnection(folder.database).execute("PRAGMA optimize")
        #expect(try db.schemaVersion() == Self.latest)
        #expect(try db.value("SELECT name FROM item WHERE id = 13") == "file")
        withExtendedLifetime(home) {}
    }

    @Test("is refused when it is from a later one, and not touched")
    func later() async throws {
        let (home, folder) = try make(
            version: Self.latest, besides: "PRAGMA user_version = \(Self.latest + 1);")
        let before = try schema(folder.database)
        let error = #expect(throws: NewerSchemaError.self) {
            try Store.openConnection(folder.database)
        }
        let message = try #require(error).description
        #expect(message.contains("newer Basket"))
        #expect(message.contains("\(Self.latest + 1)"))
        #expect(try schema(folder.database) == before)
        withExtendedLifetime(home) {}
    }
}
