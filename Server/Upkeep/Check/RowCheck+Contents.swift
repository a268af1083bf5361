import BasketBlobs
import BasketContent
import BasketDatabase
import BasketModels

extension RowCheck {
    func checkContents() throws {
        try checkReferenceCounts()
        try checkInlineData()
        try checkCoverage()
        try db.each(
            """
            SELECT item.id FROM item JOIN content ON content.id = item.content
            WHERE item.hash IS NOT content.hash OR item.size <> content.size
                OR item.domain <> content.domain
            """
        ) { row throws(SQLiteError) in
            findings.add(.itemContent(try row[0]))
            return true
        }
        try db.each(
            """
            SELECT version.id FROM version JOIN content ON content.id = version.content
            JOIN item ON item.id = version.item
            WHERE version.hash <> content.hash OR version.size <> content.size
                OR item.domain <> content.domain OR item.domain <> version.domain
            """
        ) { row throws(SQLiteError) in
            findings.add(.versionContent(try row[0]))
            return true
        }
    }

    private func checkReferenceCounts() throws {
        try db.each(
            """
            SELECT id, refs, dead IS NOT NULL,
                (SELECT count(*) FROM item WHERE item.content = content.id)
                + (SELECT count(*) FROM version WHERE version.content = content.id)
            FROM content
            """
        ) { row throws(SQLiteError) in
            let (id, stored, actual) = (row.integer(0), row.integer(1), row.integer(3))
            if stored != actual {
                findings.add(.contentReferences(id, stored: stored, actual: actual))
            }
            let isDead = row.integer(2) != 0
            if isDead == (actual > 0) { findings.add(.contentDead(id, isBorne: actual > 0)) }
            return true
        }
    }

    private func checkInlineData() throws {
        try db.each("SELECT id, size, hash, data FROM content WHERE data IS NOT NULL") {
            row throws(SQLiteError) in
            let size = row.integer(1)
            let hash = row.withBytes(2) { ContentHash(bytes: $0) }
            let isRight = row.withBytes(3) {
                Int64($0.count) == size && ContentHash(of: $0) == hash
            }
            if !isRight { findings.add(.contentDamaged(row.integer(0))) }
            return true
        }
    }

    /// Chunks must follow each other without a gap, from the first byte to the last. A content without
    /// a hash is being taken apart.
    private func checkCoverage() throws {
        var current: (id: Int64, size: Int64)?
        var reached: Int64 = 0
        var isBroken = false
        func finish() {
            guard let current, !isBroken, reached != current.size else { return }
            findings.add(.contentIncomplete(current.id, at: reached))
        }
        try db.each(
            """
            SELECT content.id, content.size, content_chunk.start, chunk.length,
                chunk.domain = content.domain
            FROM content_chunk
            CROSS JOIN content ON content.id = content_chunk.content
            CROSS JOIN chunk ON chunk.id = content_chunk.chunk
            WHERE length(content.hash) = 32 ORDER BY content_chunk.content, content_chunk.start
            """
        ) { row throws(SQLiteError) in
            let id = row.integer(0)
            if current?.id != id {
                finish()
                (current, reached, isBroken) = ((id, row.integer(1)), 0, false)
            }
            if !isBroken, row.integer(2) != reached || row.integer(4) == 0 {
                findings.add(.contentIncomplete(id, at: reached))
                isBroken = true
            }
            reached &+= row.integer(3)
            return true
        }
        finish()
        try db.each(
            """
            SELECT id FROM content WHERE length(hash) = 32 AND data IS NULL AND size > 0
                AND NOT EXISTS (SELECT 1 FROM content_chunk WHERE content = content.id)
            """
        ) { row throws(SQLiteError) in
            findings.add(.contentIncomplete(row.integer(0), at: 0))
            return true
        }
        try db.each(
            """
            SELECT id FROM content WHERE (length(hash) <> 32 AND (dead IS NULL OR refs > 0))
                OR (data IS NOT NULL AND EXISTS (SELECT 1 FROM content_chunk WHERE content = id))
            """
        ) { row throws(SQLiteError) in
            findings.add(.contentDamaged(row.integer(0)))
            return true
        }
    }

    func checkChunks() throws {
        try db.each(
            """
            SELECT id, refs, dead IS NOT NULL,
                (SELECT count(*) FROM content_chunk WHERE content_chunk.chunk = chunk.id)
            FROM chunk
            """
        ) { row throws(SQLiteError) in
            let (id, stored, actual) = (row.integer(0), row.integer(1), row.integer(3))
            if stored != actual {
                findings.add(.chunkReferences(id, stored: stored, actual: actual))
            }
            let isDead = row.integer(2) != 0
            if isDead == (actual > 0) { findings.add(.chunkDead(id, isBorne: actual > 0)) }
            return true
        }
        try db.each(
            """
            SELECT chunk.id, chunk.blob FROM chunk JOIN blob ON blob.id = chunk.blob
            WHERE position < 0 OR length <= 0 OR length > size OR position > size - length
            """
        ) { row throws(SQLiteError) in
            findings.add(
                .chunkOutsideBlob(row.integer(0), blob: BlobID(number: row.integer(1))))
            return true
        }
    }
}
