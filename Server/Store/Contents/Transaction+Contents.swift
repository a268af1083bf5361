import BasketContent
import BasketDatabase
import BasketModels

// Contents by their references: whoever bears one counts, and what nobody bears is dead.
extension Transaction {
    /// The content's row with one more reference, made where the domain does not have it yet.
    func retain(_ staged: StagedContent, in domain: Domain) throws -> Int64 {
        // Asked for first: RETURNING has SQLite make a table for each run of the statement.
        let known = try db.first(
            "SELECT id, size FROM content WHERE domain = ? AND hash = ?", domain.id, staged.hash
        ) { row throws(SQLiteError) in (id: row.integer(0), size: row.integer(1)) }
        if let known {
            // What is known is not read again: its size is all that could still be another.
            guard known.size == staged.size else {
                throw StoreError.badField(
                    field: "manifest.size", reason: "this content has \(known.size) bytes")
            }
            try retain(content: known.id)
            // Somebody was faster: what was written for it is in nobody's way for long.
            if let blob = staged.blob { _ = try discard(leftover: blob.number) }
            return known.id
        }
        // It was there when the request looked, and its chunks were never read.
        guard staged.proof != .known else { throw StoreError.overtaken }
        switch staged.body {
        case .inline(let bytes):
            return try insertContent(staged, data: bytes, in: domain)
        case .chunks(let chunks):
            if let blob = staged.blob { try note(blob: blob.number, size: blob.size) }
            let content = try insertContent(staged, data: nil, in: domain)
            var start: Int64 = 0
            for chunk in chunks {
                guard let row = try retain(chunk, in: domain) else {
                    // Only who names chunks can send those that are missing.
                    throw staged.proof == .streamed
                        ? StoreError.overtaken : .chunksMissing([chunk.hash.hex])
                }
                try db.run(
                    "INSERT INTO content_chunk (content, start, chunk) VALUES (?, ?, ?)", content,
                    start, row)
                start += Int64(chunk.length)
            }
            guard start == staged.size else {
                throw StoreError.badField(
                    field: "manifest.size", reason: "the chunks are \(start) bytes together")
            }
            return content
        }
    }

    /// One more reference to a content that is there.
    func retain(content: Int64) throws {
        try db.run("UPDATE content SET refs = refs + 1, dead = NULL WHERE id = ?", content)
    }

    /// One reference less. A small content that nobody bears is gone at once; a large one waits for
    /// the collection, because an upload may be counting on its chunks.
    func release(content: Int64) throws {
        // Deleted without being counted down first: that would write its bytes once more.
        let gone = try db.run(
            "DELETE FROM content WHERE id = ? AND refs = 1 AND data IS NOT NULL", content)
        guard gone == 0 else { return }
        try db.run(
            "UPDATE content SET refs = refs - 1, dead = iif(refs = 1, ?, NULL) WHERE id = ?", now,
            content)
    }

    /// Notes chunks that were uploaded by themselves; nothing bears them yet.
    package func stage(_ chunk: StagedChunk, blobSize: Int64, in domain: Domain) throws {
        guard try db.chunkPlace(chunk.hash, in: domain) == nil else {
            // It may have been close to its end: an upload counts on it from now on.
            try db.run(
                "UPDATE chunk SET dead = ? WHERE domain = ? AND hash = ? AND dead IS NOT NULL", now,
                domain.id, chunk.hash)
            // The same chunk came twice at once: what this one wrote is in nobody's way for long.
            if let place = chunk.place { _ = try discard(leftover: place.blob) }
            return
        }
        guard let place = chunk.place else { throw StoreError.chunksMissing([chunk.hash.hex]) }
        try note(blob: place.blob, size: blobSize)
        try insertChunk(chunk, at: place, refs: 0, in: domain)
    }

    /// A blob whose bytes are durable.
    package func note(blob: Int64, size: Int64) throws {
        // A file that nobody named for so long that it was given up may be gone by now.
        guard try !db.isDiscarded(blob: blob) else {
            throw SQLiteError("blob \(blob) was named too late")
        }
        try db.run(
            "INSERT INTO blob (id, size) VALUES (?, ?) ON CONFLICT (id) DO NOTHING", blob, size)
    }

    /// Nil when it is not there, and was not written either.
    private func retain(_ chunk: StagedChunk, in domain: Domain) throws -> Int64? {
        let known = try db.first(
            """
            SELECT id, length FROM chunk WHERE domain = ? AND hash = ?
            """, domain.id, chunk.hash
        ) { row throws(SQLiteError) in (id: row.integer(0), length: try row[1] as Int) }
        if let known {
            guard known.length == chunk.length else {
                throw StoreError.badField(
                    field: "manifest.chunks",
                    reason: "chunk \(chunk.hash.hex) is \(known.length) bytes long")
            }
            try db.run("UPDATE chunk SET refs = refs + 1, dead = NULL WHERE id = ?", known.id)
            return known.id
        }
        guard let place = chunk.place else { return nil }
        return try insertChunk(chunk, at: place, refs: 1, in: domain)
    }

    @discardableResult
    private func insertChunk(
        _ chunk: StagedChunk, at place: BlobPlace, refs: Int, in domain: Domain
    ) throws -> Int64 {
        let id = newNumber()
        try db.run(
            """
            INSERT INTO chunk (id, domain, hash, length, blob, position, refs, dead)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """, id, domain.id, chunk.hash, chunk.length, place.blob, place.position, refs,
            refs == 0 ? now : nil)
        return id
    }

    private func insertContent(
        _ staged: StagedContent, data: [UInt8]?, in domain: Domain
    ) throws -> Int64 {
        let id = newNumber()
        try db.run(
            "INSERT INTO content (id, domain, hash, size, refs, data) VALUES (?, ?, ?, ?, 1, ?)",
            id,
            domain.id, staged.hash, staged.size, data)
        return id
    }
}
