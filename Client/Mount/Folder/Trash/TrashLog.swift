import BasketSupport
import Foundation

/// A file to which notes of what is put into the trash are added, a line of JSON each: who empties a large folder into it has
/// thousands noted, one after another. What the disk has not got when the machine crashes is not noted.
struct TrashLog {
    private struct Line: Codable {
        let node: Int64
        let note: TrashNote
    }

    private let path: String
    private let world: World
    private var file: (any File)?
    /// Where the next one goes.
    private var end: Int64 = 0
    private var lines = 0
    /// Why what cannot be understood is still where notes are to be.
    private var unreadable: FileError?

    /// So many outdated lines are no burden.
    private static let mostOutdated = 1000
    private static let newline = UInt8(ascii: "\n")

    init(path: String, world: World) {
        self.path = path
        self.world = world
    }

    /// What is noted. Of what cannot be understood, a copy is kept: nobody writes over that.
    mutating func read() -> [Int64: TrashNote] {
        var notes: [Int64: TrashNote] = [:]
        do {
            let bytes = try world.files.contents(of: path)
            let whole = bytes.lastIndex(of: Self.newline).map { bytes[...$0] } ?? []
            var count = 0
            for bytes in whole.split(separator: Self.newline) {
                do {
                    let line = try JSONDecoder().decode(Line.self, from: Data(bytes))
                    notes[line.node] = line.note
                } catch {
                    count += 1
                }
            }
            if count == 0 { return notes }
            putAside("\(count) lines are no notes")
            // The next process is to find the others, too. Where that fails, they are written with the next note.
            try? makeAnew(notes)
        } catch let error where error.isMissing {
        } catch {
            putAside("\(error)")
        }
        return notes
    }

    /// Until that is done, nothing is written.
    private mutating func putAside(_ reason: String) {
        let aside = path + ".unreadable-\(world.now().nanoseconds)"
        world.log.error(
            "notes of the trash cannot be read, and are put aside",
            ["file": .text(aside), "reason": .text(reason)])
        do {
            try world.files.rename(path, to: aside)
            unreadable = nil
        } catch {
            unreadable = error
        }
    }

    /// - Parameter notes: all of them, that one as well.
    mutating func add(_ note: TrashNote, of node: Int64, to notes: [Int64: TrashNote]) throws {
        if file == nil || lines > 2 * notes.count + Self.mostOutdated {
            return try makeAnew(notes)
        }
        let bytes = try Self.bytes(note, of: node)
        do {
            try file?.write(bytes, at: end)
        } catch {
            // What is there of it now, the next one must not follow.
            file = nil
            throw error
        }
        (end, lines) = (end + Int64(bytes.count), lines + 1)
    }

    private mutating func makeAnew(_ notes: [Int64: TrashNote]) throws {
        if unreadable != nil { putAside("they could not be put aside before") }
        if let unreadable { throw unreadable }
        let bytes = try notes.flatMap { try Self.bytes($0.value, of: $0.key) }
        file = nil
        try world.files.replace(path, with: bytes)
        (file, end, lines) = (
            try world.files.openToChange(path), Int64(bytes.count), notes.count
        )
    }

    private static func bytes(_ note: TrashNote, of node: Int64) throws -> [UInt8] {
        Array(try JSONEncoder().encode(Line(node: node, note: note))) + [newline]
    }
}
