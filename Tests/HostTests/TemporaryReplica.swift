import BasketDatabase
import BasketSupport
import FileProvider
import Foundation

@testable import FileProviderReplica

/// A replica in a folder that goes afterwards, in which names differ by more than case and Unicode form.
enum TemporaryReplica {
    static func with(_ body: (Replica) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/basket-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let world = World.live(log: .silent)
        try world.files.makeFolder(folder)
        let replica = try await Replica(
            folder: folder, rule: .portable, boot: "1", world: world
        ) { InlineWriter(try Replica.openConnection($0)) }
        defer { replica.close() }
        try await body(replica)
    }
}
