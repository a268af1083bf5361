import BasketDatabase
import BasketSupport

/// A replica's database from before something that its journal knows: an older one was put in its place, or what was
/// committed last went with a log that is gone. Brought up to date with that, the journal would lose the only other
/// word of what was not sent, and numbers of files would be given a second time. Without a database nothing is lost.
struct OutdatedDatabase {
    let path: String
    let journal: String
    let world: World

    /// Puts it where it is in nobody's way.
    func setAside() throws {
        guard try isOutdated() else { return }
        let place = path + ".outdated"
        world.log.error(
            "the replica's database is older than its journal, and is made anew",
            ["kept": .text(place)])
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
        guard world.files.exists(path), world.files.exists(journal),
            let known = mark(at: journal, "SELECT identity, noted FROM journal"),
            let mark = mark(at: path, "SELECT identity, noted FROM replica")
        else { return false }
        return known.identity == mark.identity && known.noted > mark.noted
    }

    /// What cannot be read says why to whoever opens it to work with it.
    private func mark(at path: String, _ query: String) -> (identity: [UInt8], noted: Int64)? {
        let mark = try? Connection(path: path, mode: .reader).first(query) {
            row throws(SQLiteError) -> (identity: [UInt8]?, noted: Int64) in
            (try row[0], try row[1])
        }
        guard let mark, let identity = mark.identity else { return nil }
        return (identity, mark.noted)
    }
}
