import BasketSupport
import Foundation
import Testing

@testable import FileProviderDaemon

@Suite("What was saved where nothing was mounted")
struct StrayFilesTests {
    @Test("is put aside, each time beside what was before, and nothing where there is nothing")
    func aside() throws {
        let folder = FileManager.default.temporaryDirectory.path + "/basket-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let world = World.live(log: Log(level: .error) { _ in })
        try world.files.makeFolder(folder)
        let place = folder + "/Work"
        try world.files.makeFolder(place)
        let strays = StrayFiles(place: place, world: world)
        try strays.putAside()
        #expect(try world.files.list(folder) == ["Work"])
        for text in ["one", "two"] {
            try text.write(toFile: place + "/file", atomically: false, encoding: .utf8)
            try strays.putAside()
            #expect(try world.files.list(place).isEmpty)
        }
        func text(_ name: String) throws -> String {
            try String(contentsOfFile: "\(folder)/\(name)/file", encoding: .utf8)
        }
        #expect(try text("Work (from before it was mounted)") == "one")
        #expect(try text("Work (from before it was mounted) 2") == "two")
    }
}
