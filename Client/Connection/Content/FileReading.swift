import BasketContent
import BasketSupport
import Synchronization

/// A local file that does not change for a while: it is cut and hashed once, for all who need that.
package final class FileReading: Sendable {
    package let file: any File
    package let size: Int64
    private let known = Mutex<Manifest?>(nil)

    package init(_ file: any File, size: Int64) {
        self.file = file
        self.size = size
    }

    /// - Parameter progress: told how many bytes were read, where they have to be.
    package func manifest(
        progress: (Int64) -> Void = { _ in }
    ) async throws(ConnectionError) -> Manifest {
        if let known = known.withLock({ $0 }) { return known }
        let manifest = try await FileManifest.read(file, size: size, progress: progress)
        known.withLock { $0 = manifest }
        return manifest
    }
}
