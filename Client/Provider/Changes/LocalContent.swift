import BasketConnection
import BasketContent
import BasketModels
import BasketSupport

/// A content that the system hands over. It stays as it is for as long as the call lasts.
struct LocalContent: Sendable {
    /// What a request for a new item may bear.
    static let longestInline: Int64 = 64 << 10

    let file: any File
    let size: Int64

    init(path: String, _ files: any FileSystem) throws {
        file = try files.open(path)
        size = try file.size()
    }

    /// All of it, where it is small; nil where it is to be sent in parts.
    func inline() throws -> [UInt8]? {
        guard size <= Self.longestInline else { return nil }
        let bytes = try file.read(at: 0, count: Int(size))
        guard Int64(bytes.count) == size else {
            throw ConnectionError.badAnswer("the file became shorter while it was read")
        }
        return bytes
    }

    func hash() async throws -> ContentHash {
        try await FileManifest.read(file, size: size).hash
    }

    func upload(_ connection: ServerConnection, _ domain: String) -> ContentUpload {
        ContentUpload(connection, domain: domain, file: file, size: size)
    }
}
