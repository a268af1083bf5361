import BasketSupport
import Foundation
import Testing

@testable import FileProviderMount

@Suite("What is noted in a file")
struct NoteFileTests {
    @Test("is there again, and what cannot be understood is kept beside it")
    func kept() throws {
        let folder = FileManager.default.temporaryDirectory.path + "/basket-\(UUID().uuidString)"
        let world = World.live(log: Log(level: .error) { _ in })
        try world.files.makeFolder(folder)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let notes = NoteFile<[String]>(path: folder + "/notes", world: world)
        #expect(notes.read() == nil)
        try notes.write(["one", "two"])
        #expect(notes.read() == ["one", "two"])
        try "[\"one\", \"tw".write(toFile: notes.path, atomically: false, encoding: .utf8)
        #expect(notes.read() == nil)
        try notes.write(["three"])
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(names.count == 2 && notes.read() == ["three"])
        let aside = try #require(names.first { $0 != "notes" })
        #expect(
            try String(contentsOfFile: folder + "/" + aside, encoding: .utf8) == "[\"one\", \"tw")
    }
}
