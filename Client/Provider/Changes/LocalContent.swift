import BasketConnection
import BasketContent
import BasketModels
import BasketSupport

/// A content that the system hands over, on its way to the server. It stays as it is for as long as
/// the call lasts.
struct LocalContent: Sendable {
    /// What a request for a new item may bear.
    static let longestInline: Int64 = 64 << 10

    private let file: OutgoingFile

    init(path: String, _ files: any FileSystem, _ progress: CallProgress) throws {
        let file = try files.open(path)
        let size = try file.size()
        progress.expect(size)
        self.file = OutgoingFile(file, size: size) { progress.reach($0) }
    }

    var size: Int64 { file.size }

    /// All of it, where it is small; nil where it is to be sent in parts.
    func inline() throws -> [UInt8]? {
        guard size <= Self.longestInline else { return nil }
        let bytes = try file.file.read(at: 0, count: Int(size))
        guard Int64(bytes.count) == size else {
            throw ConnectionError.badAnswer("the file became shorter while it was read")
        }
        return bytes
    }

    func hash() async throws -> ContentHash {
        try await file.manifest().hash
    }

    /// Makes a file with this content.
    func create(
        _ request: CreateItemRequest, _ connection: ServerConnection, _ domain: String
    ) async throws -> ItemAnswer {
        try await ContentUpload(connection, domain: domain, file).create(request)
    }

    /// Gives a file this content, over the version that its writer had seen.
    func replace(
        _ item: String, over base: Version, modified: Timestamp?, sent: Timestamp,
        _ connection: ServerConnection, _ domain: String
    ) async throws -> ContentAnswer {
        try await ContentUpload(connection, domain: domain, file).replace(
            item, base: .version(base), modified: modified, sent: sent)
    }
}
