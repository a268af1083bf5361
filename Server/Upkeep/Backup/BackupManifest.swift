import BasketBlobs
import BasketContent
import BasketModels
import BasketSupport
import FoundationEssentials

/// What a backup consists of. It is written last and replaced as a whole: the folder holds the backup
/// that it describes, or none.
package struct BackupManifest: Codable, Equatable, Sendable {
    /// Raised when an older Basket could not restore a backup.
    package static let currentFormat = 1
    static let fileName = "backup.json"

    package let format: Int
    /// The schema of the database in it.
    package let schema: Int
    package let created: Timestamp
    /// The name of the database's file, another one for each backup.
    package let database: String
    package let databaseSize: Int64
    package let databaseHash: ContentHash
    package let domains: Int64
    package let items: Int64
    package let blobs: Int64
    package let blobBytes: Int64
    /// The names of blobs that the server had lost already; nil when there were none. A Basket that does
    /// not know of them refuses to restore what they are lacking from.
    private let lacking: [String]?

    /// The blobs that the database names and the backup does not hold.
    package var lackingBlobs: [BlobID] { (lacking ?? []).compactMap(BlobID.init(text:)) }

    init(
        format: Int, schema: Int, created: Timestamp, database: String, databaseSize: Int64,
        databaseHash: ContentHash, domains: Int64, items: Int64, blobs: Int64, blobBytes: Int64,
        lacking: [BlobID]
    ) {
        self.format = format
        self.schema = schema
        self.created = created
        self.database = database
        self.databaseSize = databaseSize
        self.databaseHash = databaseHash
        self.domains = domains
        self.items = items
        self.blobs = blobs
        self.blobBytes = blobBytes
        self.lacking = lacking.isEmpty ? nil : lacking.map(\.text)
    }

    func encoded() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(self)) + [UInt8(ascii: "\n")]
    }

    /// The manifest of the backup in a folder.
    package static func read(
        from folder: String, _ files: any FileSystem
    ) throws(BackupError) -> BackupManifest {
        let path = "\(folder)/\(fileName)"
        guard files.exists(path) else { throw .noBackup(folder) }
        do {
            let bytes = try files.contents(of: path)
            let manifest = try JSONDecoder().decode(BackupManifest.self, from: Data(bytes))
            guard manifest.format <= currentFormat else {
                throw BackupError.fromTheFuture(folder, format: manifest.format)
            }
            // It names a file in this folder, and nothing else.
            guard !manifest.database.utf8.contains(UInt8(ascii: "/")) else {
                throw BackupError.noBackup(folder)
            }
            return manifest
        } catch let error as BackupError {
            throw error
        } catch let error as FileError {
            throw .file(error)
        } catch {
            throw .damaged(folder, "\(fileName) cannot be read")
        }
    }
}
