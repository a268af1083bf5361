import BasketSupport

/// What is noted at the files of a kept tree for a replica's eyes: their places tell it now.
struct KeptMarks {
    let folder: String
    let files: any FileSystem

    private static let pageSize = 200

    /// Takes it away, once the replica is not needed any more. Folders that nobody may look into have none.
    func remove() throws(FileError) {
        var open = [(path: folder, names: try files.openFolder(folder))]
        while let (path, names) = open.last {
            let part = try names.next(Self.pageSize)
            if part.isEmpty { open.removeLast() }
            for name in part {
                let path = "\(path)/\(name)"
                let facts = try files.facts(of: path)
                switch facts.kind {
                case .file where facts.isOwn: try remove(at: path, facts)
                case .folder where facts.isOwn: open.append((path, try files.openFolder(path)))
                default: break
                }
            }
        }
    }

    /// Only who may write to a file may note anything at it.
    private func remove(at path: String, _ facts: FileFacts) throws(FileError) {
        let isOpen = facts.mode & 0o600 == 0o600
        if !isOpen { try files.setMode(facts.mode | 0o600, at: path) }
        if try files.note(at: path) != nil { try files.setNote(nil, at: path) }
        if !isOpen { try files.setMode(facts.mode, at: path) }
    }
}
