import BasketSupport
import FileProviderReplica
import Foundation
import Testing

@testable import FileProviderMount

@Suite("What is noted of the trash")
struct TrashNotesTests {
    private let folder =
        FileManager.default.temporaryDirectory.path + "/basket-\(UUID().uuidString)"
    private let world = World.live(log: Log(level: .error) { _ in })
    private var path: String { folder + "/notes" }

    private func play(_ body: () throws -> Void) throws {
        try world.files.makeFolder(folder)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body()
    }

    private func notes() -> TrashNotes { TrashNotes(path: path, world: world) }

    private static func note(_ path: String, at second: Int64 = 1) -> TrashNote {
        TrashNote(path: path, date: Timestamp(seconds: second))
    }

    private static func node(_ number: Int64) -> NodeID { NodeID(rawValue: number) }

    @Test("is there again for the next process, the newest of each item")
    func kept() throws {
        try play {
            let first = notes()
            first.keep(Self.note("a"), of: Self.node(7))
            first.keep(Self.note("b\n\"ü"), of: Self.node(8))
            first.keep(Self.note("c"), of: Self.node(7))
            let second = notes()
            #expect(second.note(Self.node(7)) == Self.note("c"))
            #expect(second.note(Self.node(8)) == Self.note("b\n\"ü"))
            second.keep(Self.note("d"), of: Self.node(9))
            #expect(notes().note(Self.node(7)) == Self.note("c"))
            #expect(notes().note(Self.node(9)) == Self.note("d"))
        }
    }

    @Test("is what was noted wholly; and what nobody understands is kept beside it")
    func torn() throws {
        try play {
            notes().keep(Self.note("a"), of: Self.node(7))
            let handle = try #require(FileHandle(forWritingAtPath: path))
            try handle.seekToEnd()
            try handle.write(contentsOf: Data("{\"node\":8,".utf8))
            // A process has died at that.
            let second = notes()
            #expect(second.note(Self.node(7)) == Self.note("a"))
            second.keep(Self.note("b"), of: Self.node(9))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 1)
            let third = notes()
            #expect(third.note(Self.node(7)) == Self.note("a"))
            #expect(third.note(Self.node(9)) == Self.note("b"))

            try handle.close()
            let text = try String(contentsOfFile: path, encoding: .utf8) + "no note\n"
            try text.write(toFile: path, atomically: false, encoding: .utf8)
            _ = notes()
            let fourth = notes()
            #expect(fourth.note(Self.node(9)) == Self.note("b"))
            fourth.keep(Self.note("c"), of: Self.node(10))
            let names = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(names.count == 2)
            let aside = try #require(names.first { $0 != "notes" })
            #expect(try String(contentsOfFile: folder + "/" + aside, encoding: .utf8) == text)
            #expect(notes().note(Self.node(9)) == Self.note("b"))
        }
    }

    @Test("is the newest where it is much, in a file that does not grow for ever")
    func much() throws {
        try play {
            let first = notes()
            for number in 1...Int64(12_000) {
                first.keep(Self.note("folder/\(number)", at: number), of: Self.node(number))
            }
            let second = notes()
            #expect(second.note(Self.node(12_000)) == Self.note("folder/12000", at: 12_000))
            #expect(second.note(Self.node(1)) == nil)
            for round in 1...Int64(40_000) {
                second.keep(Self.note("again", at: 20_000 + round), of: Self.node(12_000))
            }
            let size = try world.files.contents(of: path).count
            #expect(size < 40_000 * 60)
            #expect(notes().note(Self.node(12_000)) == Self.note("again", at: 60_000))
        }
    }
}
