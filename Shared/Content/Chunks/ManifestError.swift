/// Which rule a manifest breaks.
package enum ManifestError: Error, Equatable {
    case negativeSize(Int64)
    case tooManyChunks(limit: Int)
    case chunkTooShort(index: Int, length: Int, minimum: Int)
    case chunkTooLong(index: Int, length: Int)
    case sizeMismatch(size: Int64, sum: Int64)
    case hashMismatch

    /// For programs. Part of the wire format: codes are added, never renamed.
    package var code: String {
        switch self {
        case .negativeSize: "manifest_size_negative"
        case .tooManyChunks: "manifest_too_many_chunks"
        case .chunkTooShort: "manifest_chunk_too_short"
        case .chunkTooLong: "manifest_chunk_too_long"
        case .sizeMismatch: "manifest_size_mismatch"
        case .hashMismatch: "manifest_hash_mismatch"
        }
    }

    /// For people.
    package var message: String {
        switch self {
        case .negativeSize(let size):
            "The manifest's size is \(size); a size is 0 or more."
        case .tooManyChunks(let limit):
            "The manifest has more than \(limit) chunks. Cut the content into longer ones."
        case .chunkTooShort(let index, let length, let minimum):
            "Chunk \(index) has a length of \(length) bytes; \(minimum) is the least there."
        case .chunkTooLong(let index, let length):
            """
            Chunk \(index) has a length of \(length) bytes; \(Manifest.maximumChunkLength) is the \
            most.
            """
        case .sizeMismatch(let size, let sum):
            "The manifest's size is \(size) bytes, but its chunks come to \(sum)."
        case .hashMismatch:
            """
            The manifest's hash is not that of its content. With a single chunk both hashes are the \
            same; with none, it is the hash of no bytes.
            """
        }
    }
}
