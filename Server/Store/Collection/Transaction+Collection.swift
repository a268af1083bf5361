import BasketDatabase
import BasketModels
import BasketSupport

// Taking away what nobody bears. Each step is small, so that people's writes get in between, and looks
// again at what it relies on: a count that is wrong must not cost anybody a byte.
extension Transaction {
    /// What died in the future, by a clock that was ahead, dies now.
    package func mendFutures() throws {
        try db.run("UPDATE content SET dead = ?1 WHERE dead > ?1 AND dead IS NOT NULL", now)
        try db.run("UPDATE chunk SET dead = ?1 WHERE dead > ?1 AND dead IS NOT NULL", now)
        try db.run("UPDATE discarded_blob SET since = ?1 WHERE since > ?1", now)
    }

    /// Takes apart contents that have been dead since `limit` or longer.
    ///
    /// A large one goes in several steps. From the first of them on it bears no hash any more, so that
    /// no upload finds it half gone.
    ///
    /// - Parameter chunksSince: since when its chunks shall count as dead; from now on if nil.
    package func forgetContents(
        deadSince limit: Timestamp, steps: Int, chunksSince: Timestamp? = nil
    ) throws -> CollectionStep {
        var step = CollectionStep()
        let dead = try db.all(
            """
            SELECT id, EXISTS (SELECT 1 FROM item WHERE item.content = content.id)
                OR EXISTS (SELECT 1 FROM version WHERE version.content = content.id)
            FROM content WHERE dead IS NOT NULL AND dead <= ? ORDER BY dead LIMIT ?
            """, limit, steps
        ) { row throws(SQLiteError) in (id: row.integer(0), isBorne: row.integer(1) != 0) }
        var budget = steps
        for content in dead where budget > 0 {
            guard !content.isBorne else {
                // Its count was wrong; this one is right.
                try recount(content: content.id)
                step.kept += 1
                continue
            }
            let (released, isGone) = try takeApart(
                content: content.id, limit: budget, chunksSince: chunksSince)
            if isGone { step.dropped += 1 }
            budget -= released + 1
        }
        step.isDone = dead.count < steps && step.dropped + step.kept == dead.count
        return step
    }

    /// Takes up to so many chunks from a content that nobody bears, and the content when none is left.
    func takeApart(
        content: Int64, limit: Int, chunksSince: Timestamp? = nil
    ) throws -> (released: Int, isGone: Bool) {
        try db.run(
            "UPDATE content SET hash = CAST(id AS BLOB) WHERE id = ? AND length(hash) = 32", content
        )
        let released = try releaseChunks(of: content, limit: limit, since: chunksSince ?? now)
        guard released < limit else { return (released, false) }
        try db.run("DELETE FROM content WHERE id = ?", content)
        return (released, true)
    }

    private func recount(content: Int64) throws {
        try db.run(
            """
            UPDATE content SET dead = NULL, refs =
                (SELECT count(*) FROM item WHERE item.content = content.id)
                + (SELECT count(*) FROM version WHERE version.content = content.id)
            WHERE id = ?
            """, content)
    }

    /// How many rows went.
    private func releaseChunks(
        of content: Int64, limit: Int, since: Timestamp
    ) throws -> Int {
        let chunks = try db.all(
            """
            DELETE FROM content_chunk WHERE content = ?1 AND start IN (
                SELECT start FROM content_chunk WHERE content = ?1 ORDER BY start LIMIT ?2)
            RETURNING chunk
            """, content, limit
        ) { row throws(SQLiteError) in row.integer(0) }
        for chunk in chunks {
            try db.run(
                "UPDATE chunk SET refs = refs - 1, dead = iif(refs = 1, ?, NULL) WHERE id = ?",
                since, chunk)
        }
        return chunks.count
    }

    /// Forgets chunks that have been dead since `limit` or longer, and discards the blobs that they
    /// leave empty.
    package func forgetChunks(deadSince limit: Timestamp, count: Int) throws -> CollectionStep {
        var step = CollectionStep()
        let dead = try db.all(
            """
            SELECT id, EXISTS (SELECT 1 FROM content_chunk WHERE content_chunk.chunk = chunk.id)
            FROM chunk WHERE dead IS NOT NULL AND dead <= ? ORDER BY dead LIMIT ?
            """, limit, count
        ) { row throws(SQLiteError) in (id: row.integer(0), isBorne: row.integer(1) != 0) }
        var emptied: Set<Int64> = []
        for chunk in dead {
            guard !chunk.isBorne else {
                try db.run(
                    """
                    UPDATE chunk SET dead = NULL, refs =
                        (SELECT count(*) FROM content_chunk WHERE chunk = ?1) WHERE id = ?1
                    """, chunk.id)
                step.kept += 1
                continue
            }
            let blob = try db.value(
                "DELETE FROM chunk WHERE id = ? RETURNING blob", chunk.id, of: Int64.self)
            if let blob { emptied.insert(blob) }
            step.dropped += 1
        }
        for blob in emptied.sorted() where try discard(blob: blob) { step.discarded += 1 }
        step.isDone = dead.count < count
        return step
    }

    /// Takes the blob's row away when no chunk lies in it any more, and notes its file as one to be
    /// removed. False when it is in use, or was gone already.
    package func discard(blob: Int64) throws -> Bool {
        let gone = try db.run(
            """
            DELETE FROM blob WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM chunk WHERE blob = ?1)
            """, blob)
        guard gone == 1 else { return false }
        try noteDiscarded(blob)
        return true
    }

    /// Gives up files that no row names: from now on none can. False for one that got its row after
    /// all, by a request that took long.
    package func discard(leftover blob: Int64) throws -> Bool {
        guard try !db.isNamed(blob: blob) else { return false }
        try noteDiscarded(blob)
        return true
    }

    private func noteDiscarded(_ blob: Int64) throws {
        try db.run(
            "INSERT INTO discarded_blob (id, since) VALUES (?, ?) ON CONFLICT (id) DO NOTHING",
            blob,
            now)
    }

    /// Forgets files that are gone.
    package func forget(discardedBlobs blobs: [Int64]) throws {
        for blob in blobs { try db.run("DELETE FROM discarded_blob WHERE id = ?", blob) }
    }

    /// Has chunks found in a new blob from now on, where they still lie in the old place; the number
    /// that were moved. Blobs that this leaves empty are discarded, the new one too when it came too
    /// late for all of its chunks.
    package func move(
        _ chunks: [(chunk: PlacedChunk, position: Int64)], to blob: StagedBlob
    ) throws -> Int {
        try note(blob: blob.number, size: blob.size)
        var moved = 0
        for (chunk, position) in chunks {
            moved += try db.run(
                """
                UPDATE chunk SET blob = ?, position = ?
                WHERE id = ? AND blob = ? AND position = ? AND hash = ?
                """, blob.number, position, chunk.id, chunk.place.blob, chunk.place.position,
                chunk.hash)
        }
        for old in Set(chunks.map(\.chunk.place.blob)).sorted() { _ = try discard(blob: old) }
        _ = try discard(blob: blob.number)
        return moved
    }
}

extension Connection {
    /// Files to remove: those discarded at `limit` or before, from the number on.
    package func discardedBlobs(
        since limit: Timestamp, from blob: Int64, count: Int
    ) throws -> [(blob: Int64, since: Timestamp)] {
        try all(
            """
            SELECT id, since FROM discarded_blob WHERE since <= ? AND id >= ?
            ORDER BY id LIMIT ?
            """, limit, blob, count
        ) { row throws(SQLiteError) in (blob: row.integer(0), since: try row[1]) }
    }
}
