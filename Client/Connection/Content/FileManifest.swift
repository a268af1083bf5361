import BasketContent
import BasketSupport

/// Cuts and hashes a local file.
package enum FileManifest {
    private static let pieceLength = 1 << 20

    /// Reads the first `size` bytes of the file.
    /// - Parameter progress: told how many it has read.
    package static func read(
        _ file: any File, size: Int64, progress: (Int64) -> Void = { _ in }
    ) async throws(ConnectionError) -> Manifest {
        do {
            var builder = ManifestBuilder()
            var position: Int64 = 0
            while position < size {
                let count = Int(min(Int64(pieceLength), size - position))
                let bytes = try file.read(at: position, count: count)
                guard bytes.count == count else { throw TransportError.sourceTooShort }
                _ = try builder.update(bytes)
                position += Int64(count)
                progress(position)
                // Hashing gigabytes must not keep everybody else waiting.
                await Task.yield()
                try Task.checkCancellation()
            }
            return try builder.finish().manifest
        } catch let error as ManifestError {
            throw .badAnswer(error.message)
        } catch {
            throw ConnectionError(erased: error)
        }
    }
}
