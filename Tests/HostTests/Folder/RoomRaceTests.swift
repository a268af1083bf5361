import FileProviderReplica
import Testing

@testable import FileProviderHost

@Suite("The room for contents, which many threads want at once", .timeLimit(.minutes(60)))
struct RoomRaceTests {
    @Test("is never said to be short for what has just come, and is not counted twice")
    func countedOnce() async throws {
        var settings = HostSettings()
        settings.contentLimits.most = 50
        try await FolderStage.play(settings: settings) { stage in
            let names = (0..<8).map { "file \($0)" }
            for name in names { try stage.put(name, "0123456789") }
            try await stage.settle()
            var files: [NodeID] = []
            for name in names { files.append(try await stage.node(name)) }

            let (room, changes) = (stage.host.room, stage.host.replica.changes)
            // Who looks whenever something has come, looks just when it comes.
            let keeper = Task {
                while !Task.isCancelled {
                    let count = changes.count
                    try? await room.keep()
                    await changes.wait(since: count)
                }
            }
            defer { keeper.cancel() }
            for _ in 0..<100 {
                for file in files {
                    let text = try await stage.text(of: file)
                    #expect(text == "0123456789")
                }
            }
        }
    }
}
