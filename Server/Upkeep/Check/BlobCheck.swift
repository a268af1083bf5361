import BasketBlobs
import BasketContent
import BasketDatabase
import BasketStore
import BasketSupport

/// Holds blobs against the rows that name them. In short reads, so that a check that takes hours does
/// not keep the database's log from being emptied; what looks wrong is looked up again before it is
/// told, because it may have been collected or moved meanwhile.
struct BlobCheck {
    let readers: ReaderPool
    let blobs: any BlobStore
    let now: Timestamp
    var findings = FindingList()

    /// A blob younger than this may be waiting for its row.
    private static let patience = Duration.seconds(3600)
    private static let page = 500

    mutating func run(isDeep: Bool, _ progress: (CheckStage) -> Void) async throws {
        progress(.blobs)
        try await checkFiles()
        progress(.leftovers)
        try await checkLeftovers()
        guard isDeep else { return }
        progress(.bytes)
        try await checkBytes()
        try await checkContents()
    }

    private mutating func checkFiles() async throws {
        var start = Int64.min
        while true {
            try Task.checkCancellation()
            let page = try readers.read { [start] db in
                try db.all(
                    "SELECT id, size FROM blob WHERE id >= ? ORDER BY id LIMIT ?", start, Self.page
                ) { row throws(SQLiteError) in (id: row.integer(0), size: row.integer(1)) }
            }
            for (number, size) in page {
                let id = BlobID(number: number)
                do {
                    let actual = try await blobs.facts(of: id).size
                    if actual != size { findings.add(.blobSize(id, stored: size, actual: actual)) }
                } catch BlobError.noSuchBlob {
                    if try readers.read({ try $0.isNamed(blob: number) }) {
                        findings.add(.blobMissing(id))
                    }
                } catch {
                    findings.add(.blobUnreadable(id, error.message))
                }
            }
            guard let end = page.last?.id, end < .max else { return }
            start = end + 1
        }
    }

    private mutating func checkLeftovers() async throws {
        var last: BlobID?
        while true {
            try Task.checkCancellation()
            let page = try await blobs.list(after: last, limit: 1000)
            guard let end = page.last else { return }
            last = end
            // After the list: a row that was committed in between is seen.
            let unnamed = try readers.read { db in
                try page.filter {
                    try !db.isNamed(blob: $0.number) && !db.isDiscarded(blob: $0.number)
                }
            }
            for id in unnamed {
                guard let facts = try? await blobs.facts(of: id),  // Gone: no finding.
                    now - facts.modified > Self.patience
                else { continue }
                findings.add(.blobUnnamed(id, size: facts.size))
            }
        }
    }

    // MARK: Bytes

    private mutating func checkBytes() async throws {
        var last = BlobPlace(blob: .min, position: -1)
        while true {
            let page = try readers.read { [last] db in
                try db.placedChunks(after: last, limit: Self.page)
            }
            guard let end = page.last else { return }
            last = end.place
            for chunk in page {
                try Task.checkCancellation()
                try await check(chunk)
            }
        }
    }

    private mutating func check(_ chunk: PlacedChunk) async throws {
        let id = BlobID(number: chunk.place.blob)
        do {
            let blob = try blobs.open(id)
            let bytes = try blob.read(at: chunk.place.position, count: chunk.length)
            if ContentHash(of: bytes) == chunk.hash { return }
        } catch BlobError.noSuchBlob {
            return  // Told already, for the whole blob; or collected since.
        } catch BlobError.truncated {
            // Told below.
        } catch {
            return findings.add(.blobUnreadable(id, error.message))
        }
        let isThere = try readers.read { try $0.placedChunk(chunk.id) == chunk }
        if isThere { findings.add(.chunkDamaged(chunk.id, blob: id)) }
    }

    // MARK: Contents

    /// Chunks that are right, in another order than the file's, are another file.
    private mutating func checkContents() async throws {
        var last: Int64?
        while true {
            let page = try readers.read { [last] db in
                try db.all(
                    """
                    SELECT id, hash FROM content
                    WHERE data IS NULL AND length(hash) = 32 AND (?1 IS NULL OR id > ?1)
                    ORDER BY id LIMIT ?2
                    """, last, Self.page
                ) { row throws(SQLiteError) in (id: row.integer(0), hash: try row[1] as ContentHash)
                }
            }
            guard let end = page.last else { return }
            last = end.id
            for content in page where try await isWrong(content.id, content.hash) {
                findings.add(.contentDamaged(content.id))
            }
        }
    }

    /// False where a part of it cannot be read or is damaged itself, which was told already.
    private func isWrong(_ content: Int64, _ hash: ContentHash) async throws -> Bool {
        var hasher = SHA256()
        var start: Int64 = 0
        var last: (hash: ContentHash, bytes: [UInt8])?
        while true {
            try Task.checkCancellation()
            let chunks = try readers.read { [start] db in
                try db.chunks(of: content, from: start, limit: Self.page)
            }
            guard let end = chunks.last else { break }
            start = end.start + 1
            for (_, chunk) in chunks {
                // Of a file full of holes, most chunks are the same one.
                if chunk.hash != last?.hash {
                    guard let bytes = try await bytes(of: chunk) else { return false }
                    last = (chunk.hash, bytes)
                }
                hasher.update(last?.bytes ?? [])
            }
        }
        guard hasher.finish() != hash else { return false }
        // Taken apart meanwhile, it would look wrong as well.
        return try readers.read {
            try $0.value(
                "SELECT 1 FROM content WHERE id = ? AND hash = ?", content, hash, of: Int64.self)
        } != nil
    }

    /// A chunk's bytes, if they are right; looked up again where they do not lie where they did.
    private func bytes(of chunk: PlacedChunk) async throws -> [UInt8]? {
        let now = try readers.read { try $0.placedChunk(chunk.id) }
        for place in [chunk, now].compactMap(\.self) {
            if let blob = try? blobs.open(BlobID(number: place.place.blob)),
                let bytes = try? blob.read(at: place.place.position, count: place.length),
                ContentHash(of: bytes) == chunk.hash
            {
                return bytes
            }
        }
        return nil
    }
}
