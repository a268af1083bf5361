import BasketContent
import BasketSupport

/// The hash of a file that is too large for the memory.
enum FileHash {
    private static let piece = 1 << 20

    static func of(
        _ path: String, _ files: any FileSystem
    ) throws(FileError) -> (hash: ContentHash, size: Int64) {
        let file = try files.open(path)
        var hasher = SHA256()
        var offset: Int64 = 0
        while true {
            let bytes = try file.read(at: offset, count: piece)
            if bytes.isEmpty { return (hasher.finish(), offset) }
            hasher.update(bytes)
            offset += Int64(bytes.count)
        }
    }
}
