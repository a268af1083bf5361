import BasketBlobs
import BasketHTTP
import BasketStore
import BasketSupport
import Glibc
import Synchronization

/// A content that lies in many blobs. Each is opened when it is sent: whoever reads slowly would else hold as many
/// descriptors as there are, and nobody could be answered any more.
final class ScatteredContent: Sendable {
    private let extents: [StoredContent.Extent]
    /// Where each of them begins in the content.
    private let starts: [Int64]
    private let blobs: any BlobStore
    private let lookUp: @Sendable (_ start: Int64, _ length: Int64) throws -> StoredContent
    /// A body is sent from its beginning to its end.
    private let current = Mutex<(index: Int, blob: Blob)?>(nil)

    /// - Parameters:
    ///   - start: where the first of them begins in the content.
    ///   - lookUp: where a part of the content lies by now, as it may have been moved since then.
    init(
        _ extents: [StoredContent.Extent], from start: Int64, blobs: any BlobStore,
        lookUp: @escaping @Sendable (_ start: Int64, _ length: Int64) throws -> StoredContent
    ) {
        self.extents = extents
        self.blobs = blobs
        self.lookUp = lookUp
        var starts: [Int64] = []
        var next = start
        for extent in extents {
            starts.append(next)
            next += extent.length
        }
        self.starts = starts
    }

    var pieces: [HTTPPiece] {
        extents.enumerated().map { index, extent in
            .file(
                Part(content: self, index: index), offset: extent.place.position,
                length: extent.length)
        }
    }

    private func file(_ index: Int) throws(BlobError) -> any File {
        if let known = current.withLock({ $0?.index == index ? $0?.blob : nil }) {
            return known.file
        }
        let blob = try blobs.open(extents[index].place.blobID)
        current.withLock { $0 = (index, blob) }
        return blob.file
    }

    /// What is not where it was when the answer began.
    private func moved(_ index: Int, at position: Int64, _ count: Int) throws -> [UInt8] {
        let start = starts[index] + position - extents[index].place.position
        switch try lookUp(start, Int64(count)) {
        case .inline(let bytes): return bytes
        case .extents(let extents):
            var bytes: [UInt8] = []
            for extent in extents {
                let blob = try blobs.open(extent.place.blobID)
                bytes += try blob.file.read(at: extent.place.position, count: Int(extent.length))
            }
            return bytes
        }
    }

    /// One of them, as a file.
    private final class Part: File {
        private let content: ScatteredContent
        private let index: Int

        init(content: ScatteredContent, index: Int) {
            self.content = content
            self.index = index
        }

        var descriptor: Int32? { try? content.file(index).descriptor }

        func read(at offset: Int64, count: Int) throws(FileError) -> [UInt8] {
            do {
                return try content.moved(index, at: offset, count)
            } catch let error as FileError {
                throw error
            } catch {
                throw FileError("read", "\(error)", code: EIO)
            }
        }

        func size() -> Int64 {
            content.extents[index].place.position + content.extents[index].length
        }

        func write(_ bytes: borrowing [UInt8], at offset: Int64) throws(FileError) {
            throw FileError("write", "a content that is sent", code: EBADF)
        }

        func synchronize() {}
    }
}
