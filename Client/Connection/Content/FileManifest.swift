import BasketContent
import BasketSupport

/// Cuts and hashes a local file.
package enum FileManifest {
    private static let pieceLength = 1 << 20
    /// A longer file is worth a second processor: its chunks and the whole of it are hashed beside each other.
    private static let longLength: Int64 = 32 << 20
    /// Of a file of this length there would soon be more chunks than the request for a new file may name.
    static let coarseLength: Int64 = 100 << 30

    /// Reads the first `size` bytes of the file.
    /// - Parameters:
    ///   - isLong: whether two tasks are to read it.
    ///   - isCoarse: whether it is cut into few chunks.
    ///   - progress: told how many it has read.
    package static func read(
        _ file: any File, size: Int64, isLong: Bool? = nil, isCoarse: Bool? = nil,
        progress: (Int64) -> Void = { _ in }
    ) async throws(ConnectionError) -> Manifest {
        let isCoarse = isCoarse ?? (size >= coarseLength)
        do {
            guard isLong ?? (size > longLength) else {
                return try await cut(ManifestBuilder(isCoarse: isCoarse), file, size, progress)
                    .finish().manifest
            }
            async let hash = hash(file, size)
            let builder = try await cut(
                ManifestBuilder(hashesWhole: false, isCoarse: isCoarse), file, size, progress)
            return try builder.finish(whole: try await hash).manifest
        } catch let error as ManifestError {
            throw .badAnswer(error.message)
        } catch {
            throw ConnectionError(erased: error)
        }
    }

    private static func cut(
        _ builder: consuming ManifestBuilder, _ file: any File, _ size: Int64,
        _ progress: (Int64) -> Void
    ) async throws -> ManifestBuilder {
        try await eachPiece(of: file, size) { bytes, end throws(ManifestError) in
            _ = try builder.update(bytes)
            progress(end)
        }
        return builder
    }

    private static func hash(_ file: any File, _ size: Int64) async throws -> ContentHash {
        var hasher = SHA256()
        try await eachPiece(of: file, size) { bytes, _ in hasher.update(bytes.span) }
        return hasher.finish()
    }

    private static func eachPiece(
        of file: any File, _ size: Int64, _ body: ([UInt8], _ end: Int64) throws -> Void
    ) async throws {
        var position: Int64 = 0
        while position < size {
            let count = Int(min(Int64(pieceLength), size - position))
            let bytes = try file.read(at: position, count: count)
            guard bytes.count == count else { throw TransportError.sourceTooShort }
            position += Int64(count)
            try body(bytes, position)
            // Hashing gigabytes must not keep everybody else waiting.
            await Task.yield()
            try Task.checkCancellation()
        }
    }
}
