import BasketConnection
import BasketContent
import BasketModels
import BasketSupport

/// A content that the system hands over, and how far it is on its way to the server. It stays as it is for as long as
/// the call lasts.
struct LocalContent: Sendable {
    /// What a request for a new item may bear.
    static let longestInline: Int64 = 64 << 10

    let size: Int64
    private let reading: FileReading
    private let progress: CallProgress

    init(path: String, _ files: any FileSystem, _ progress: CallProgress) throws {
        let file = try files.open(path)
        size = try file.size()
        reading = FileReading(file, size: size)
        self.progress = progress
        progress.expect(size)
    }

    /// All of it, where it is small; nil where it is to be sent in parts.
    func inline() throws -> [UInt8]? {
        guard size <= Self.longestInline else { return nil }
        let bytes = try reading.file.read(at: 0, count: Int(size))
        guard Int64(bytes.count) == size else {
            throw ConnectionError.badAnswer("the file became shorter while it was read")
        }
        return bytes
    }

    func hash() async throws -> ContentHash {
        try await reading.manifest { progress.reach(UploadProgress.reading($0)) }.hash
    }

    /// Makes a file with this content.
    func create(
        _ request: CreateItemRequest, _ connection: ServerConnection, _ domain: String
    ) async throws -> ItemAnswer {
        try await ContentUpload(connection, domain: domain, reading).create(request) {
            progress.reach($0)
        }
    }

    /// Gives a file this content, over the version that its writer had seen.
    func replace(
        _ item: String, over base: Version, modified: Timestamp?,
        _ connection: ServerConnection, _ domain: String
    ) async throws -> ContentAnswer {
        try await ContentUpload(connection, domain: domain, reading).replace(
            item, base: .version(base), modified: modified
        ) { progress.reach($0) }
    }
}
