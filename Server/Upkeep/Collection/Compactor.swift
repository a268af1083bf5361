import BasketBlobs
import BasketContent
import BasketStore
import BasketSupport

/// Brings chunks together that are worth it: out of blobs that are mostly dead, and out of blobs of
/// one chunk each that lie next to each other in a content, as delta uploads leave them.
///
/// The order is that of every write: the new blob is durable before a row names it, and the old one's
/// file stays until nobody can be looking for it. A chunk that somebody else has moved or dropped
/// meanwhile is left as it is.
struct Compactor {
    let store: Store
    let blobs: any BlobStore
    let policy: CollectionPolicy

    /// Contents that were looked at in this run; forgotten when there are too many, which costs
    /// nothing but looking again.
    private static let mostRemembered = 100_000
    /// Contents that are looked at for one small blob: a chunk that a thousand files share gains
    /// nothing by being looked at in each.
    private static let mostContents = 4
    private static let mostChunks = 4096

    func run(_ summary: inout CollectionSummary) async throws {
        var start = Int64.min
        var seen: Set<Int64> = []
        do {
            while summary.bytesRewritten < policy.mostRewritten {
                try Task.checkCancellation()
                let page = try store.read { [start] in try $0.blobUsage(from: start, limit: 500) }
                for usage in page {
                    if isSparse(usage) {
                        try await empty(usage.blob, &summary)
                    } else if usage.isSingleChunk, usage.size < policy.largestBlob {
                        try await joinNeighbours(of: usage.blob, &seen, &summary)
                    }
                }
                guard let end = page.last?.blob, end < .max else { return }
                start = end + 1
            }
        } catch BlobError.insufficientStorage {
            summary.lackedRoom = true
        }
    }

    private func isSparse(_ usage: BlobUsage) -> Bool {
        usage.chunks > 0 && usage.deadBytes >= policy.leastDeadBytes
            && usage.deadBytes > usage.chunkBytes
    }

    private func empty(_ blob: Int64, _ summary: inout CollectionSummary) async throws {
        var position: Int64 = 0
        while true {
            let chunks = try store.read { [position] in
                try $0.chunks(inBlob: blob, from: position, limit: Self.mostChunks)
            }
            guard let last = chunks.last else { return }
            position = last.place.position + 1
            for group in grouped(chunks) { try await rewrite(group, &summary) }
        }
    }

    /// Looks for the runs of small blobs in the contents that the blob's chunk is a part of.
    private func joinNeighbours(
        of blob: Int64, _ seen: inout Set<Int64>, _ summary: inout CollectionSummary
    ) async throws {
        let contents = try store.read {
            try $0.contents(withChunksInBlob: blob, limit: Self.mostContents)
        }
        for content in contents where seen.insert(content).inserted {
            if seen.count > Self.mostRemembered { seen = [content] }
            while let run = try nextRun(in: content) {
                let moved = summary.chunksMoved
                try await rewrite(run, &summary)
                // Damaged ones stay where they are, and would be found for ever.
                if summary.chunksMoved == moved { break }
                if summary.bytesRewritten >= policy.mostRewritten { return }
            }
        }
    }

    /// The first run of chunks that are each alone in a blob; nil when none is long enough.
    private func nextRun(in content: Int64) throws -> [PlacedChunk]? {
        var run: [PlacedChunk] = []
        var found: Set<Int64> = []
        var bytes: Int64 = 0
        let least = max(2, policy.leastSingleChunks)
        try store.read { db in
            try db.eachChunk(of: content) { chunk, isAlone in
                // A content may repeat a chunk: the second place is no neighbour of its own.
                if found.contains(chunk.id) { return true }
                let fits = bytes + Int64(chunk.length) <= policy.largestBlob
                if isAlone, fits, run.count < Self.mostChunks {
                    run.append(chunk)
                    found.insert(chunk.id)
                    bytes += Int64(chunk.length)
                    return true
                }
                if run.count >= least { return false }
                (run, found, bytes) = ([], [], 0)
                return true
            }
        }
        return run.count >= least ? run : nil
    }

    /// Cuts a list so that each part fits into a blob.
    private func grouped(_ chunks: [PlacedChunk]) -> [[PlacedChunk]] {
        var groups: [[PlacedChunk]] = []
        var bytes: Int64 = 0
        for chunk in chunks {
            bytes += Int64(chunk.length)
            if groups.isEmpty || bytes > policy.largestBlob {
                groups.append([])
                bytes = Int64(chunk.length)
            }
            groups[groups.count - 1].append(chunk)
        }
        return groups
    }

    // MARK: Rewriting

    private func rewrite(
        _ chunks: [PlacedChunk], _ summary: inout CollectionSummary
    ) async throws {
        let id = BlobID(rawValue: store.world.randomUInt64())
        let size = chunks.reduce(0) { $0 + Int64($1.length) }
        // Asked first: what is refused to people is made room for, and this is nobody's work.
        let available = try await blobs.availableBytes()
        guard size <= available else {
            throw BlobError.insufficientStorage(available: available, needed: size)
        }
        let draft = try await blobs.makeDraft(id, announcedSize: size)
        let copied: [(chunk: PlacedChunk, position: Int64)]
        do {
            copied = try await copy(chunks, into: draft, &summary)
        } catch {
            await draft.discard()
            throw error
        }
        guard !copied.isEmpty else { return await draft.discard() }
        let blob = StagedBlob(number: id.number, size: await draft.size)
        try await draft.seal()
        summary.bytesRewritten += blob.size
        summary.chunksMoved += try await store.write { try $0.move(copied, to: blob) }
    }

    /// Those that were copied: a damaged one stays where it is, for whoever can mend it.
    private func copy(
        _ chunks: [PlacedChunk], into draft: any BlobDraft, _ summary: inout CollectionSummary
    ) async throws -> [(chunk: PlacedChunk, position: Int64)] {
        var copied: [(chunk: PlacedChunk, position: Int64)] = []
        for chunk in chunks {
            try Task.checkCancellation()
            guard let bytes = try await bytes(of: chunk) else {
                summary.note(damaged: chunk.id)
                store.world.log.error(
                    "a chunk is damaged",
                    [
                        "chunk": .number(chunk.id),
                        "blob": .text(BlobID(number: chunk.place.blob).text),
                    ])
                continue
            }
            copied.append((chunk, try await draft.append(bytes)))
        }
        return copied
    }

    /// Nil when they are not what the chunk's hash says, or cannot be read: one bad place on the disk
    /// must not end the rewriting of all others.
    private func bytes(of chunk: PlacedChunk) async throws -> [UInt8]? {
        do {
            let blob = try blobs.open(BlobID(number: chunk.place.blob))
            let bytes = try blob.read(at: chunk.place.position, count: chunk.length)
            return ContentHash(of: bytes) == chunk.hash ? bytes : nil
        } catch BlobError.noSuchBlob, BlobError.truncated, BlobError.file {
            return nil
        }
    }
}
