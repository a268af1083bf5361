import BasketDatabase
import BasketSupport

/// A replica's database that is worse than none. One that nobody can read keeps everybody out. One from before something
/// that its journal knows (an older one was put in its place, or what was committed last went with a log that is gone)
/// would have the journal brought up to date with it: that would lose the only other word of what was not sent, and
/// numbers of files would be given a second time. Without a database nothing is lost.
struct UnfitDatabase {
    private struct Mark {
        let identity: [UInt8]
        let noted: Int64
    }

    let path: String
    let journal: String
    let world: World

    /// Puts it where it is in nobody's way.
    /// - Throws: where nobody can tell now whether it is one.
    func setAside() throws {
        guard world.files.exists(path) else { return }
        do {
            guard try isOutdated() else { return }
            try setAside(
                as: "outdated",
                because: "the replica's database is older than its journal, and is made anew")
        } catch let error as SQLiteError where error.isCorrupt {
            try setAside(
                as: "damaged", because: "the replica's database cannot be read, and is made anew")
        }
    }

    private func setAside(as ending: String, because reason: StaticString) throws {
        let place = "\(path).\(ending)"
        world.log.error(reason, ["kept": .text(place)])
        // The log first: the others without it are no more outdated than before.
        for ending in ["-wal", "-shm", ""] {
            if world.files.exists(path + ending) {
                try world.files.rename(path + ending, to: place + ending)
            } else if world.files.exists(place + ending) {
                // That of another one, put aside earlier.
                try world.files.remove(place + ending)
            }
        }
        try world.files.synchronizeFolder(LinuxFileSystem.folder(of: path))
    }

    private func isOutdated() throws -> Bool {
        guard let mark = try mark(at: path, "SELECT identity, noted FROM replica"),
            let known = journalMark()
        else { return false }
        return known.identity == mark.identity && known.noted > mark.noted
    }

    /// A journal that cannot be read keeps nobody from a database that can.
    private func journalMark() -> Mark? {
        guard world.files.exists(journal) else { return nil }
        do {
            return try mark(at: journal, "SELECT identity, noted FROM journal")
        } catch {
            world.log.error(
                "it cannot be told what the journal knows", ["error": .text("\(error)")])
            return nil
        }
    }

    /// Nil for one from before there were such marks.
    private func mark(at path: String, _ query: String) throws(SQLiteError) -> Mark? {
        do {
            return try Connection(path: path, mode: .reader).first(query) {
                row throws(SQLiteError) -> Mark? in
                let identity: [UInt8]? = try row[0]
                guard let identity else { return nil }
                return Mark(identity: identity, noted: try row[1])
            } ?? nil
        } catch  where error.isAboutRows {
            return nil
        }
    }
}
