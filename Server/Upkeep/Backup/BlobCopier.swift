import BasketBlobs
import BasketDatabase
import BasketStore
import BasketSupport

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

    /// Those that the origin does not have, or cannot read. The database is read in short pieces, so that
    /// a running server can empty its log meanwhile.
    func copyBlobs(
        namedBy database: String, _ mode: Connection.Mode
    ) async throws -> [BlobID] {
        var missing: [NamedBlob] = []
        var start = Int64.min
        while true {
            try Task.checkCancellation()
            let page = try Self.page(of: database, mode, from: start)
            for blob in page where try await !copy(blob) { missing.append(blob) }
            guard let end = page.last?.id.number, end < .max else { break }
            start = end + 1
        }
        var left: [BlobID] = []
        // What failed by chance does not fail twice.
        for blob in missing where try await !copy(blob) { left.append(blob.id) }
        return left
    }

    private typealias NamedBlob = (id: BlobID, size: Int64)

    private static func page(
        of database: String, _ mode: Connection.Mode, from start: Int64
    ) throws -> [NamedBlob] {
        let db = try Connection(path: database, mode: mode)
        return try db.all(
            "SELECT id, size FROM blob WHERE id >= ? ORDER BY id LIMIT 1000", start
        ) { row throws(SQLiteError) in (BlobID(number: row.integer(0)), row.integer(1)) }
    }

    /// False when the origin does not have it, or cannot read it. What the target refuses is an error.
    private func copy(_ named: NamedBlob) async throws -> Bool {
        if try await has(named) { return true }
        guard let blob = try await opened(named.id) else { return false }
        if links {
            do {
                try target.link(named.id, from: origin)
                return true
            } catch BlobError.noSuchBlob {
                return false
            } catch BlobError.file {
                // Another file system, or one without links: copied then.
            }
        }
        let draft = try await target.makeDraft(named.id, announcedSize: blob.size)
        var offset: Int64 = 0
        while offset < blob.size {
            try Task.checkCancellation()
            let count = Int(min(Int64(Self.piece), blob.size - offset))
            // What the error tells is told by the blob's being listed as one that is lacking.
            guard let bytes = try? blob.read(at: offset, count: count) else {
                await draft.discard()
                return false
            }
            try await draft.append(bytes)
            offset += Int64(count)
        }
        try await draft.seal()
        return true
    }

    private func opened(_ id: BlobID) async throws -> Blob? {
        do {
            return try origin.open(id)
        } catch BlobError.noSuchBlob {
            return nil
        } catch BlobError.file(let error) where !error.isForbidden {
            // A bad place on the disk, or no file; not the wrong user, who would copy nothing at all.
            return nil
        }
    }

    private func has(_ named: NamedBlob) async throws -> Bool {
        do {
            let size = try await target.facts(of: named.id).size
            // Its whole size, or all that the origin has of it; who is lacking the end may be the origin.
            guard size != named.size, let whole = try? await origin.facts(of: named.id).size,
                whole != size
            else { return true }
            // Cut off by a disk that was full, or by hand.
            try await target.remove(named.id)
            return false
        } catch BlobError.noSuchBlob {
            return false
        }
    }
}
