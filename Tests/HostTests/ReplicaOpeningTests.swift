import BasketDatabase
import BasketSupport
import FileProvider
import Foundation
import Testing

@testable import FileProviderReplica

@Suite("A replica")
struct ReplicaOpeningTests {
    @Test("is worked on by one alone, until that one has closed it")
    func alone() async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/basket-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try LinuxFileSystem().makeFolder(folder)
        let first = try await Self.open(folder)

        await #expect { try await Self.open(folder) } throws: {
            ($0 as? FileLock.Held)?.process == getpid()
        }

        // Whoever was refused has taken nothing away from the first.
        _ = try await first.write { try $0.db.run("UPDATE replica SET boot = boot") }
        first.close()
        try await Self.open(folder).close()
    }

    private static func open(_ folder: String) async throws -> Replica {
        try await Replica(
            folder: folder, rule: .posix, boot: "1", world: World.live(log: .silent)
        ) { InlineWriter(try Replica.openConnection($0)) }
    }
}
