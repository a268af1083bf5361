import BasketContent
import BasketSupport
import Synchronization

/// A local file that is on its way to the server, and does not change meanwhile. It is cut and hashed once, and has one
/// progress, whatever it takes until the server has it.
package final class OutgoingFile: Sendable {
    package let file: any File
    package let size: Int64
    let way: UploadProgress
    private let known = Mutex<Manifest?>(nil)

    /// - Parameter progress: told how much of the way has been gone, in bytes of the file; more each time, and never
    ///   all of it.
    package init(
        _ file: any File, size: Int64, progress: @escaping @Sendable (Int64) -> Void = { _ in }
    ) {
        self.file = file
        self.size = size
        way = UploadProgress(size: size, progress)
    }

    package func manifest() async throws(ConnectionError) -> Manifest {
        if let known = known.withLock({ $0 }) { return known }
        let manifest = try await FileManifest.read(file, size: size) { way.read($0) }
        known.withLock { $0 = manifest }
        return manifest
    }
}
