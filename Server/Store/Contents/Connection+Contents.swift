import BasketContent
import BasketDatabase

extension Connection {
    /// The bytes of a content, or where those from `start` on lie, up to `length` of them.
    package func storedContent(
        _ content: Int64, from start: Int64 = 0, length: Int64 = .max
    ) throws -> StoredContent {
        let data: [UInt8]?? = try first("SELECT data FROM content WHERE id = ?", content) {
            row throws(SQLiteError) in try row[0] as [UInt8]?
        }
        guard let data else { throw SQLiteError("content \(content) is not there") }
        if let data {
            let end = Int(min(Int64(data.count), start.addingClamped(length)))
            return .inline(Array(data[min(Int(start), end)..<end]))
        }
        return .extents(try extents(of: content, from: start, length: length))
    }

    private func extents(
        of content: Int64, from start: Int64, length: Int64
    ) throws -> [StoredContent.Extent] {
        let end = start.addingClamped(length)
        var found: [StoredContent.Extent] = []
        // From the chunk that holds the first byte on.
        let sql = """
            SELECT content_chunk.start, chunk.length, chunk.blob, chunk.position
            FROM content_chunk JOIN chunk ON chunk.id = content_chunk.chunk
            WHERE content_chunk.content = ?1 AND content_chunk.start >= coalesce(
                (SELECT max(start) FROM content_chunk WHERE content = ?1 AND start <= ?2), 0)
            ORDER BY content_chunk.start
            """
        try each(sql, content, start) { row throws(SQLiteError) in
            let chunkStart = row.integer(0)
            guard chunkStart < end else { return false }
            let skipped = max(0, start - chunkStart)
            let length = min(row.integer(1), end - chunkStart) - skipped
            let place = BlobPlace(blob: row.integer(2), position: row.integer(3) + skipped)
            guard length > 0 else { return true }
            if let last = found.last, last.place.blob == place.blob,
                last.place.position + last.length == place.position
            {
                found[found.count - 1] = StoredContent.Extent(
                    place: last.place, length: last.length + length)
            } else {
                found.append(StoredContent.Extent(place: place, length: length))
            }
            return true
        }
        return found
    }

    /// The chunks of a content, in order; a small one is a chunk of its own.
    package func manifest(of content: Int64) throws -> Manifest {
        let facts: (size: Int64, hash: ContentHash, isInline: Bool)? = try first(
            "SELECT size, hash, data IS NOT NULL FROM content WHERE id = ?", content
        ) { row throws(SQLiteError) in (try row[0], try row[1], try row[2]) }
        guard let facts else { throw SQLiteError("content \(content) is not there") }
        var chunks: [Manifest.Chunk] = []
        if facts.isInline {
            if facts.size > 0 {
                chunks = [Manifest.Chunk(length: Int(facts.size), hash: facts.hash)]
            }
        } else {
            chunks = try all(
                """
                SELECT chunk.length, chunk.hash FROM content_chunk
                JOIN chunk ON chunk.id = content_chunk.chunk
                WHERE content_chunk.content = ? ORDER BY content_chunk.start
                """, content
            ) { row throws(SQLiteError) in
                Manifest.Chunk(length: try row[0], hash: try row[1])
            }
        }
        return try Manifest(size: facts.size, hash: facts.hash, chunks: chunks)
    }

    /// The chunks in which a part of a content lies; none behind its end.
    package func chunks(of content: Int64, in part: Range<Int64>) throws -> ChunkRun {
        let facts: (size: Int64, hash: ContentHash, isInline: Bool)? = try first(
            "SELECT size, hash, data IS NOT NULL FROM content WHERE id = ?", content
        ) { row throws(SQLiteError) in (try row[0], try row[1], try row[2]) }
        guard let facts else { throw SQLiteError("content \(content) is not there") }
        let part = part.clamped(to: 0..<facts.size)
        guard !part.isEmpty else {
            return try ChunkRun(size: facts.size, start: part.lowerBound, chunks: [])
        }
        guard !facts.isInline else {
            let whole = Manifest.Chunk(length: Int(facts.size), hash: facts.hash)
            return try ChunkRun(size: facts.size, start: 0, chunks: [whole])
        }
        let found: [(start: Int64, chunk: Manifest.Chunk)] = try all(
            """
            SELECT content_chunk.start, chunk.length, chunk.hash FROM content_chunk
            JOIN chunk ON chunk.id = content_chunk.chunk
            WHERE content_chunk.content = ?1 AND content_chunk.start < ?3
                AND content_chunk.start >= coalesce(
                    (SELECT max(start) FROM content_chunk WHERE content = ?1 AND start <= ?2), 0)
            ORDER BY content_chunk.start
            """, content, part.lowerBound, part.upperBound
        ) { row throws(SQLiteError) in
            (try row[0], Manifest.Chunk(length: try row[1], hash: try row[2]))
        }
        return try ChunkRun(
            size: facts.size, start: found.first?.start ?? 0, chunks: found.map(\.chunk))
    }

    /// Whether the domain has the chunk, and will keep it long enough for an upload that begins now.
    package func hasChunk(_ hash: ContentHash, in domain: Domain, deadSince limit: Int64) throws
        -> Bool
    {
        try value(
            """
            SELECT 1 FROM chunk
            WHERE domain = ? AND hash = ? AND (dead IS NULL OR dead > ?)
            """, domain.id, hash, limit, of: Int64.self) != nil
    }

    /// Whether an item that is not deleted bears the chunk.
    package func isBorneByLiving(_ hash: ContentHash, in domain: Domain) throws -> Bool {
        try value(
            """
            SELECT 1 FROM chunk JOIN content_chunk ON content_chunk.chunk = chunk.id
            JOIN item ON item.content = content_chunk.content
            WHERE chunk.domain = ? AND chunk.hash = ? AND item.deleted IS NULL LIMIT 1
            """, domain.id, hash, of: Int64.self) != nil
    }

    /// Where a chunk's bytes are.
    package func chunkPlace(_ hash: ContentHash, in domain: Domain) throws
        -> (place: BlobPlace, length: Int)?
    {
        try first(
            "SELECT blob, position, length FROM chunk WHERE domain = ? AND hash = ?", domain.id,
            hash
        ) { row throws(SQLiteError) in
            (BlobPlace(blob: try row[0], position: try row[1]), try row[2])
        }
    }

    /// Whether the domain has a whole content of that hash, which was verified when it came. One that
    /// nobody bears does not count: it may be collected before an upload that relies on it commits.
    package func knowsContent(_ hash: ContentHash, in domain: Domain) throws -> Bool {
        try value(
            "SELECT 1 FROM content WHERE domain = ? AND hash = ? AND dead IS NULL", domain.id, hash,
            of: Int64.self) != nil
    }
}
