import BasketDatabase
import BasketSupport

/// Contents that are here, though no database knows of them: the one that did is gone.
struct ContentLeftovers: Sendable {
    var marked: [(file: Int64, mark: ContentMark)] = []
    /// Numbers up to this one are taken.
    var lastFile: Int64 = 0

    func note(in db: Connection) throws(SQLiteError) {
        for (file, mark) in marked {
            try db.run("INSERT INTO found (file, mark) VALUES (?, ?)", file, mark.bytes)
        }
        try db.run("UPDATE replica SET files = ?", lastFile)
    }
}

extension ContentFiles {
    /// What nobody has marked is somewhere else, too, and is removed as a stray: unless nobody could mark anything.
    func leftovers() throws -> ContentLeftovers {
        var found = ContentLeftovers()
        let keepsNotes = try keepsNotes()
        for folder in 0..<Self.folders {
            for number in try numbers(inFolder: folder) {
                found.lastFile = max(found.lastFile, number)
                let mark = markIfReadable(at: number) ?? (keepsNotes ? nil : .unknown(number))
                if let mark { found.marked.append((number, mark)) }
            }
        }
        return found
    }

    /// What cannot be read now is not nothing.
    private func markIfReadable(at number: Int64) -> ContentMark? {
        do {
            return try mark(at: number)
        } catch {
            return .unknown(number)
        }
    }
}
