import BasketBlobs
import BasketDatabase
import BasketStore

/// Copies blobs from one store to another that does not have them. They are immutable: one that is
/// there with its whole length is not read again.
struct BlobCopier {
    let origin: FolderBlobStore
    let target: FolderBlobStore
    let links: Bool

    private static let piece = 1 << 20

    init(from origin: FolderBlobStore, to target: FolderBlobStore, links: Bool) {
        self.origin = origin
        self.target = target
        self.links = links
    }

    /// Those that the origin does not have. The database is read in short pieces, so that a running
    /// server can empty its log meanwhile.
    func copyBlobs(
        namedBy database: String, _ mode: Connection.Mode
    ) async throws -> [BlobID] {
        var missing: [BlobID] = []
        var start = Int64.min
        while true {
            try Task.checkCancellation()
            let page = try Self.page(of: database, mode, from: start)
            for number in page {
                let id = BlobID(number: number)
                if try await !copy(id) { missing.append(id) }
            }
            guard let end = page.last, end < .max else { return missing }
            start = end + 1
        }
    }

    private static func page(
        of database: String, _ mode: Connection.Mode, from start: Int64
    ) throws -> [Int64] {
        let db = try Connection(path: database, mode: mode)
        return try db.all(
            "SELECT id FROM blob WHERE id >= ? ORDER BY id LIMIT 1000", start
        ) { row throws(SQLiteError) in row.integer(0) }
    }

    /// False when the origin does not have it.
    private func copy(_ id: BlobID) async throws -> Bool {
        if try await has(id) { return true }
        do {
            if links {
                do {
                    try target.link(id, from: origin)
                    return true
                } catch BlobError.file {
                    // Another file system, or one without links: copied then.
                }
            }
            let blob = try await origin.open(id)
            let draft = try await target.makeDraft(id, announcedSize: blob.size)
            var offset: Int64 = 0
            while offset < blob.size {
                try Task.checkCancellation()
                let count = Int(min(Int64(Self.piece), blob.size - offset))
                try await draft.append(try blob.read(at: offset, count: count))
                offset += Int64(count)
            }
            try await draft.seal()
            return true
        } catch BlobError.noSuchBlob {
            return false
        }
    }

    private func has(_ id: BlobID) async throws -> Bool {
        do {
            let size = try await target.facts(of: id).size
            guard let whole = try? await origin.facts(of: id).size, whole != size else {
                return true
            }
            // Cut off by a disk that was full, or by hand.
            try await target.remove(id)
            return false
        } catch BlobError.noSuchBlob {
            return false
        }
    }
}
