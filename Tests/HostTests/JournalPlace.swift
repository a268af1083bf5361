import BasketDatabase
import BasketSupport
import Foundation

@testable import FileProviderReplica

/// A replica's folder, whose files are lost and come back as a test wants it.
struct JournalPlace {
    let folder = FileManager.default.temporaryDirectory.path + "/basket-\(UUID().uuidString)"
    var journal: String { folder + "/contents/unsent.db" }

    init() throws { try LinuxFileSystem().makeFolder(folder) }

    func open(
        boot: String = "1", _ wrapped: @Sendable (InlineWriter) -> any DatabaseWriter = { $0 }
    ) async throws -> Replica {
        try await Replica(
            folder: folder, rule: .posix, boot: boot, world: World.live(log: .silent)
        ) { wrapped(InlineWriter(try Replica.openConnection($0))) }
    }

    func loseDatabase() throws { try remove(folder + "/replica.db") }

    func remove(_ path: String) throws {
        for ending in ["", "-wal", "-shm"]
        where FileManager.default.fileExists(atPath: path + ending) {
            try FileManager.default.removeItem(atPath: path + ending)
        }
    }

    /// The names in the root, after another start from the journal alone.
    func namesAfterLoss() async throws -> [String] {
        try loseDatabase()
        let replica = try await open()
        defer { replica.close() }
        return try replica.read { reader in
            try reader.children(of: .root, limit: 20_000).compactMap { $0.trees.local?.name }
        }
    }

    func clear() { try? FileManager.default.removeItem(atPath: folder) }
}
