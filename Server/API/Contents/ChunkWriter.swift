import BasketBlobs
import BasketContent
import BasketStore

/// Writes the chunks of one upload that the domain does not have into one blob, in their order: a
/// new file lies in one piece.
struct ChunkWriter {
    private let intake: ContentIntake
    private let announced: Int64?
    private var draft: (any BlobDraft)?
    /// Where this upload has put its chunks; a file may hold the same one many times.
    private var places: [ContentHash: Int64] = [:]
    private var known: Set<ContentHash> = []

    init(intake: ContentIntake, announced: Int64?) {
        self.intake = intake
        self.announced = announced
    }

    mutating func take(_ chunk: ManifestBuilder.Chunk) throws {
        if places[chunk.hash] != nil || known.contains(chunk.hash) { return }
        if try intake.knows(chunk.hash) {
            known.insert(chunk.hash)
            return
        }
        let draft = try draft ?? intake.call.service.blobs.makeBlob(announcing: announced)
        self.draft = draft
        places[chunk.hash] = try draft.append(chunk.bytes)
    }

    /// Makes what was written durable, and tells where it is.
    consuming func seal(_ manifest: Manifest) throws -> StagedContent {
        let blob = try draft?.seal()
        let size = draft?.size ?? 0
        let chunks = manifest.chunks.map { chunk in
            let place = places[chunk.hash].flatMap { position in
                blob.map { BlobPlace(blob: $0.rawValue, position: position) }
            }
            return StagedChunk(hash: chunk.hash, length: chunk.length, place: place)
        }
        return StagedContent(
            hash: manifest.hash, size: manifest.size, chunks: chunks,
            blob: blob.map { StagedBlob(number: $0.rawValue, size: size) })
    }
}
