import BasketDatabase
import BasketSupport
import Foundation
import Synchronization
import Testing

@testable import FileProviderHost
@testable import FileProviderReplica

@Suite("The lists of what stays here")
struct IgnoreListsTests {
    @Test("have their wrong lines told once, up to ten of each, by line and reason")
    func flaws() async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/basket-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let told = Told()
        let world = World.live(log: Log(level: .info) { told.add($0) })
        try world.files.makeFolder(folder)
        let replica = try await Replica(folder: folder, rule: .posix, boot: "1", world: world) {
            InlineWriter(try Replica.openConnection($0))
        }
        defer { replica.close() }
        let lists = IgnoreLists(replica)
        try await Self.put("[abc\n*.log\n[z-a]\n", in: .root, replica)
        _ = try await lists.refreshed()
        #expect(told.lines == [1, 3])

        // Another list is no reason to say it again.
        let inner = try await replica.write { try $0.make("inner", in: .root, kind: .folder) }
        try await Self.put(String(repeating: "[\n", count: 30), in: inner, replica)
        _ = try await lists.refreshed()
        _ = try await lists.refreshed()
        #expect(told.lines == [1, 3] + Array(1...10))
    }

    private static func put(_ text: String, in folder: NodeID, _ replica: Replica) async throws {
        let number = try await replica.write { try $0.nextFile() }
        try replica.contents.create(number).write(Array(text.utf8), at: 0)
        try await replica.write { transaction in
            let id = try transaction.make(".basketignore", in: folder, kind: .file)
            try transaction.update(id) { node in
                (node.file, node.residence) = (number, .whole)
                node.size = Int64(text.utf8.count)
            }
        }
    }

    /// Of which lines the log has heard.
    private final class Told: Sendable {
        private let all = Mutex<[Int64]>([])

        var lines: [Int64] { all.withLock { $0 } }

        func add(_ entry: Log.Entry) {
            for field in entry.fields where field.name == "line" {
                if case .number(let line) = field.value { all.withLock { $0.append(line) } }
            }
        }
    }
}
