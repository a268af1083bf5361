import BasketBlobs
import BasketContent
import BasketStore

/// Writes the chunks of one upload that the domain does not have into one blob, in their order: a
/// new file lies in one piece.
struct ChunkWriter {
    private let intake: ContentIntake
    private let announced: Int64?
    private var draft: (any BlobDraft)?
    private var size: Int64 = 0
    /// Where this upload has put its chunks; a file may hold the same one many times.
    private var places: [ContentHash: Int64] = [:]
    private var known: Set<ContentHash> = []
    private var isDiskShort: Bool?

    init(intake: ContentIntake, announced: Int64?) {
        self.intake = intake
        self.announced = announced
    }

    mutating func take(_ chunk: ManifestBuilder.Chunk) async throws {
        if places[chunk.hash] != nil || known.contains(chunk.hash) { return }
        if try await isThere(chunk.hash) {
            known.insert(chunk.hash)
            return
        }
        let draft = try await openDraft()
        places[chunk.hash] = try await draft.append(chunk.bytes)
        size += Int64(chunk.length)
    }

    /// While the disk is short, what only history bears may go before this upload has come to its end.
    private mutating func isThere(_ hash: ContentHash) async throws -> Bool {
        if isDiskShort == nil {
            isDiskShort = try await intake.call.service.blobs.shortage().isShort
        }
        return try isDiskShort == true ? intake.isBorneByLiving(hash) : intake.knows(hash)
    }

    /// Makes what was written durable, and tells where it is.
    func seal(_ manifest: Manifest) async throws -> StagedContent {
        let blob = try await draft?.seal()
        let chunks = manifest.chunks.map { chunk in
            let place = places[chunk.hash].flatMap { position in
                blob.map { BlobPlace(blob: $0, position: position) }
            }
            return StagedChunk(hash: chunk.hash, length: chunk.length, place: place)
        }
        return StagedContent(
            hash: manifest.hash, size: manifest.size, chunks: chunks,
            blob: blob.map { StagedBlob($0, size: size) }, proof: .streamed)
    }

    /// Leaves nothing behind.
    func discard() async {
        await draft?.discard()
    }

    private static let mostAnnounced: Int64 = 256 << 20

    private mutating func openDraft() async throws -> any BlobDraft {
        if let draft { return draft }
        let made = try await intake.call.service.blobs.makeDraft(
            .drawn(in: intake.call.world),
            // All of it was asked for when it began. Who sends slowly keeps no more from others than what comes soon.
            announcedSize: announced.map { min($0, Self.mostAnnounced) })
        draft = made
        return made
    }
}
