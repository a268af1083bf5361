import BasketSupport

/// A sealed blob, open for reading.
package struct Blob: Sendable {
    package let id: BlobID
    package let size: Int64
    /// For whoever sends the bytes on without looking at them.
    package let file: any File

    package init(id: BlobID, size: Int64, file: any File) {
        self.id = id
        self.size = size
        self.file = file
    }

    /// Reads exactly that many bytes. Fewer are an error: who asks has it from a row that they exist.
    package func read(at offset: Int64, count: Int) throws(BlobError) -> [UInt8] {
        let (end, overflow) = offset.addingReportingOverflow(Int64(count))
        guard offset >= 0, count >= 0, !overflow, end <= size else {
            throw .truncated(id, size: size, expected: overflow ? .max : end)
        }
        let bytes: [UInt8]
        do {
            bytes = try file.read(at: offset, count: count)
        } catch {
            throw .file(error)
        }
        guard bytes.count == count else {
            throw .truncated(id, size: offset + Int64(bytes.count), expected: end)
        }
        return bytes
    }
}
