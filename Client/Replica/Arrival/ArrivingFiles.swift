import BasketSupport
import Glibc

/// Files on their way from an imported tree into the replica. Each is moved to the place of its number, or copied where
/// it cannot be; and programs may go on with the tree meanwhile.
struct ArrivingFiles: Sendable {
    let replica: Replica
    /// Where bytes are copied to before they are whole.
    let draft: String

    private var files: any FileSystem { replica.world.files }

    /// Brings a file to its place, if it is not there yet. What somebody has made under its name since then stays.
    /// - Returns: how long it is; nil when it is nowhere any more.
    func take(
        _ source: String, as row: ArrivalRow, file: Int64
    ) throws(FileError) -> Int64? {
        if try replica.contents.isThere(file) {
            own(file, row)
            try removeLeftover(source, of: file)
        } else {
            let facts = try files.factsIfAny(of: source)
            guard let facts, facts.kind == .file else { return nil }
            try bring(source, facts, as: row, file)
        }
        return try replica.contents.open(file).size()
    }

    func removeDraft() throws(FileError) {
        if try files.factsIfAny(of: draft) != nil { try files.remove(draft) }
    }

    /// A process may have died before it could remove what it had copied: that has the copy's size and date.
    private func removeLeftover(_ source: String, of file: Int64) throws(FileError) {
        let copy = try files.facts(of: replica.contents.path(file))
        guard try isStill(source, as: copy) else { return }
        do throws(FileError) {
            try files.remove(source)
        } catch  where error.isOfOneAlone {
            // Then it is looked at as one of its own.
            return
        }
    }

    private func bring(
        _ source: String, _ facts: FileFacts, as row: ArrivalRow, _ file: Int64
    ) throws(FileError) {
        if try move(source, facts, to: file) { return own(file, row) }
        try copy(source, facts, to: file)
        own(file, row)
        do throws(FileError) {
            try requireStill(source, as: facts)
            try files.remove(source)
        } catch {
            guard try files.factsIfAny(of: source) != nil else { return }
            // What stays where it is must not come here as well.
            try replica.contents.remove(file)
            throw error
        }
    }

    /// - Returns: false for what has to be copied.
    private func move(
        _ source: String, _ facts: FileFacts, to file: Int64
    ) throws(FileError) -> Bool {
        // Others have the same bytes under a name of their own, and go on with them.
        if facts.links > 1 { return false }
        do throws(FileError) {
            try replica.contents.adopt(source, as: file)
            return true
        } catch  where error.code == EXDEV {
            return false
        }
    }

    private func copy(
        _ source: String, _ facts: FileFacts, to file: Int64
    ) throws(FileError) {
        try requireStill(source, as: facts)
        try removeDraft()
        let isReadable = facts.mode & 0o400 != 0 || !facts.isOwn
        if !isReadable { try files.setMode(facts.mode | 0o400, at: source) }
        try files.copyFile(source, to: draft)
        if !isReadable { try files.setMode(facts.mode, at: source) }
        // By this, the original is known after a crash.
        try files.setModified(facts.modified, at: draft)
        try replica.contents.adopt(draft, as: file)
        try files.synchronizeFolder(replica.contents.folder(of: file))
    }

    private func requireStill(_ source: String, as known: FileFacts) throws(FileError) {
        guard try isStill(source, as: known) else {
            throw FileError("copy", source, code: EBUSY)
        }
    }

    /// Whether a file is as it was, and nobody goes on writing to what would be nowhere without its name.
    private func isStill(
        _ source: String, as known: FileFacts
    ) throws(FileError) -> Bool {
        guard let facts = try files.factsIfAny(of: source), facts.kind == .file,
            facts.size == known.size, facts.modified == known.modified
        else { return false }
        if facts.links > 1 { return true }
        return try !files.isWritten(source)
    }

    /// It is the replica's alone, and says so: only this device has it.
    private func own(_ file: Int64, _ row: ArrivalRow) {
        do {
            let path = replica.contents.path(file)
            if try files.facts(of: path).isOwn {
                try files.setMode(0o600, at: path)
                for name in row.entry.attributes.extended.keys.sorted() {
                    try files.setAttribute(name, nil, at: path)
                }
            }
            let folder = try replica.read { try $0.path(of: row.folder) }
            try replica.contents.set(
                ContentMark(
                    path: folder + [row.name], item: nil, base: nil, size: files.size(path)),
                at: file)
        } catch {
            replica.world.log.warning(
                "nothing can be noted at a file", ["error": .text("\(error)")])
        }
    }
}
