import BasketDatabase

/// How much of a blob is still chunks of something.
package struct BlobUsage: Sendable, Equatable {
    package let blob: Int64
    package let size: Int64
    package let chunks: Int64
    package let chunkBytes: Int64

    /// Whether the blob is nothing but one chunk, as a delta upload makes it.
    package var isSingleChunk: Bool { chunks == 1 && chunkBytes == size }
    package var deadBytes: Int64 { max(0, size - chunkBytes) }
}

extension Connection {
    /// The blobs from that number on, in their order.
    package func blobUsage(from blob: Int64, limit: Int) throws -> [BlobUsage] {
        try all(
            """
            SELECT blob.id, blob.size, count(chunk.id), coalesce(sum(chunk.length), 0)
            FROM blob LEFT JOIN chunk ON chunk.blob = blob.id
            WHERE blob.id >= ? GROUP BY blob.id ORDER BY blob.id LIMIT ?
            """, blob, limit
        ) { row throws(SQLiteError) in
            BlobUsage(
                blob: row.integer(0), size: row.integer(1), chunks: row.integer(2),
                chunkBytes: row.integer(3))
        }
    }

    /// Up to so many blobs that hold no chunk.
    package func unusedBlobs(limit: Int) throws -> [Int64] {
        try all(
            """
            SELECT id FROM blob WHERE NOT EXISTS (SELECT 1 FROM chunk WHERE chunk.blob = blob.id)
            LIMIT ?
            """, limit
        ) { row throws(SQLiteError) in row.integer(0) }
    }

    /// The chunks in a blob from a position on, in their order there, which is that of the content
    /// they came with.
    package func chunks(
        inBlob blob: Int64, from position: Int64 = 0, limit: Int
    ) throws -> [PlacedChunk] {
        try all(
            """
            SELECT \(PlacedChunk.columns) FROM chunk WHERE blob = ? AND position >= ?
            ORDER BY position LIMIT ?
            """, blob, position, limit
        ) { row throws(SQLiteError) in try PlacedChunk(row) }
    }

    /// All chunks behind that place, in the order in which they lie on the disk.
    package func placedChunks(after place: BlobPlace, limit: Int) throws -> [PlacedChunk] {
        try all(
            """
            SELECT \(PlacedChunk.columns) FROM chunk WHERE (blob, position) > (?, ?)
            ORDER BY blob, position LIMIT ?
            """, place.blob, place.position, limit
        ) { row throws(SQLiteError) in try PlacedChunk(row) }
    }

    /// A content's chunks, in the order of the file, from a place in it on.
    package func chunks(
        of content: Int64, from start: Int64, limit: Int
    ) throws -> [(start: Int64, chunk: PlacedChunk)] {
        try all(
            """
            SELECT \(PlacedChunk.columns), content_chunk.start
            FROM content_chunk JOIN chunk ON chunk.id = content_chunk.chunk
            WHERE content_chunk.content = ? AND content_chunk.start >= ?
            ORDER BY content_chunk.start LIMIT ?
            """, content, start, limit
        ) { row throws(SQLiteError) in (start: row.integer(5), chunk: try PlacedChunk(row)) }
    }

    /// A chunk's row as it is now.
    package func placedChunk(_ id: Int64) throws -> PlacedChunk? {
        try first("SELECT \(PlacedChunk.columns) FROM chunk WHERE id = ?", id) {
            row throws(SQLiteError) in try PlacedChunk(row)
        }
    }

    /// The contents that have a chunk in the blob; no more than a few of them.
    package func contents(withChunksInBlob blob: Int64, limit: Int) throws -> [Int64] {
        try all(
            """
            SELECT DISTINCT content_chunk.content FROM chunk
            JOIN content_chunk ON content_chunk.chunk = chunk.id WHERE chunk.blob = ? LIMIT ?
            """, blob, limit
        ) { row throws(SQLiteError) in row.integer(0) }
    }

    /// Lends a content's chunks one by one, in order, each with whether its blob holds nothing else.
    package func eachChunk(
        of content: Int64, body: (PlacedChunk, _ isAlone: Bool) -> Bool
    ) throws {
        try each(
            """
            SELECT \(PlacedChunk.columns), blob.size = chunk.length FROM content_chunk
            CROSS JOIN chunk ON chunk.id = content_chunk.chunk
            CROSS JOIN blob ON blob.id = chunk.blob
            WHERE content_chunk.content = ? ORDER BY content_chunk.start
            """, content
        ) { row throws(SQLiteError) in body(try PlacedChunk(row), row.integer(5) != 0) }
    }

    /// Whether some row names the blob.
    package func isNamed(blob: Int64) throws(SQLiteError) -> Bool {
        try value("SELECT 1 FROM blob WHERE id = ?", blob, of: Int64.self) != nil
    }

    /// Whether the blob's file is on its way out.
    package func isDiscarded(blob: Int64) throws(SQLiteError) -> Bool {
        try value("SELECT 1 FROM discarded_blob WHERE id = ?", blob, of: Int64.self) != nil
    }
}
