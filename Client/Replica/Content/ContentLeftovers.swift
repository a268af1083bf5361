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

    /// After a crash of the machine, what is not whole is no newer content of its item: it comes back beside that.
    func doubted(in contents: ContentFiles, on day: String, rule: CaseRule) -> ContentLeftovers {
        var leftovers = self
        for (index, (file, mark)) in marked.enumerated() {
            guard let name = mark.path.last else { continue }
            do {
                guard let remains = try Remains(of: file, in: contents) else { continue }
                // Who had begun to write it anew may not have come far.
                if let size = mark.size, size > 0, remains.isWhole(ofSize: size) { continue }
            } catch {
                // What cannot be looked at for a moment is no worse for that, and keeps its name.
                continue
            }
            let folders = Array(mark.path.dropLast())
            let damaged = ConflictName(name, damagedOn: day, rule: rule).text
            leftovers.marked[index].mark = ContentMark(
                path: folders + [damaged], item: nil, base: nil, size: mark.size)
        }
        return leftovers
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
