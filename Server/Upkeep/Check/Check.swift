import BasketBlobs
import BasketDatabase
import BasketModels
import BasketStore
import BasketSupport

/// Looks at everything that a data folder keeps, and says what is wrong. It changes nothing, and works
/// beside a running server: rows are seen as they were at one moment, and what happens to blobs
/// meanwhile is no finding.
package struct Check: Sendable {
    private let database: String
    private let blobs: any BlobStore
    private let world: World

    /// - Parameter database: the path of its file.
    package init(database: String, blobs: any BlobStore, world: World) {
        self.database = database
        self.blobs = blobs
        self.world = world
    }

    package init(_ folder: DataFolder, world: World) throws {
        try folder.requireDatabase(world.files)
        self.init(
            database: folder.database, blobs: try folder.openBlobsForReading(world: world),
            world: world)
    }

    /// Takes as long as reading the database takes, or with `isDeep` all contents. Call it where
    /// blocking disturbs nobody.
    /// - Parameter progress: told when another stage begins.
    package func run(
        isDeep: Bool, progress: (CheckStage) -> Void = { _ in }
    ) async throws -> [Finding] {
        let readers = ReaderPool(path: database)
        var findings = try await rows(readers, progress)
        var check = BlobCheck(readers: readers, blobs: blobs, now: world.now())
        do {
            try await check.run(isDeep: isDeep, progress)
        } catch let error as SQLiteError where error.isCorrupt {
            check.findings.add(.database(error.message))
        }
        readers.closeIdle()
        let affected = check.findings.all
        // What is no database says so whatever is asked of it: once is enough.
        findings += affected.filter { !findings.contains($0) }
        findings += try filesAffected(by: affected)
        return findings
    }

    private func rows(
        _ readers: ReaderPool, _ progress: (CheckStage) -> Void
    ) async throws -> [Finding] {
        do {
            return try await readers.readInterruptibly { db in
                try Store.requireKnownSchema(db)
                // Sorting millions of rows happens on the disk, not in memory.
                try db.execute("PRAGMA temp_store = FILE")
                return try RowCheck(db).run(progress)
            }
        } catch let error as SQLiteError {
            if error.isInterrupted { throw CancellationError() }
            guard error.isCorrupt else { throw error }
            return [.database(error.message)]
        }
    }

    private static let mostAffected = 1000

    /// People know files, not contents and chunks.
    private func filesAffected(by findings: [Finding]) throws -> [Finding] {
        var contents: Set<Int64> = []
        var chunks: Set<Int64> = []
        var blobs: Set<Int64> = []
        for finding in findings {
            switch finding {
            case .contentDamaged(let content), .contentIncomplete(let content, _):
                contents.insert(content)
            case .chunkDamaged(let chunk, _): chunks.insert(chunk)
            case .blobMissing(let blob), .blobUnreadable(let blob, _): blobs.insert(blob.number)
            default: break
            }
        }
        guard !contents.isEmpty || !chunks.isEmpty || !blobs.isEmpty else { return [] }
        let db = try Connection(path: database, mode: .reader)
        var names: [ItemID: String] = [:]
        func note(_ from: String, _ number: Int64) throws {
            guard names.count < Self.mostAffected else { return }
            try db.each(
                """
                SELECT DISTINCT item.id, item.name FROM \(from) = ?
                    AND item.deleted IS NULL LIMIT ?
                """, number, Self.mostAffected
            ) { row throws(SQLiteError) in
                names[try row[0]] = try row[1]
                return true
            }
        }
        let bearers = """
            chunk JOIN content_chunk ON content_chunk.chunk = chunk.id
            JOIN item ON item.content = content_chunk.content WHERE chunk
            """
        for content in contents.sorted() { try note("item WHERE content", content) }
        for chunk in chunks.sorted() { try note(bearers + ".id", chunk) }
        for blob in blobs.sorted() { try note(bearers + ".blob", blob) }
        return names.sorted { $0.key.rawValue < $1.key.rawValue }.map {
            .fileAffected($0.key, name: $0.value)
        }
    }
}
