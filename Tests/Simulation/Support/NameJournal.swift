import BasketSupport

/// What was done to the names on a disk since their folders were last made durable. When the power is cut, in each
/// folder the newest of it may be undone: a name that was made is gone again, one that was removed is back.
///
/// Giving something another name is one step: it never has none, and never both.
struct NameJournal {
    enum Change {
        case made(String)
        /// - Parameter grave: where it was kept.
        case removed(String, grave: String)
        case renamed(String, to: String, replaced: String?)
        case madeFolder(String)
        case removedFolder(String)
    }

    private struct Entry {
        let change: Change
        let folders: Set<String>
    }

    /// Where what is removed is kept for as long as it may come back.
    let graves: String
    private var entries: [Entry] = []
    private var count = 0

    init(graves: String) {
        self.graves = graves
    }

    mutating func nextGrave() -> String {
        count += 1
        return "\(graves)/\(count)"
    }

    mutating func note(_ change: Change) {
        entries.append(Entry(change: change, folders: Set(change.paths.map(Self.folder))))
    }

    /// The names in a folder are durable; in all of them without one.
    mutating func synchronise(_ folder: String?, _ disk: LinuxFileSystem) {
        let isDurable = { (entry: Entry) in folder.map(entry.folders.contains) ?? true }
        for entry in entries where isDurable(entry) { bury(entry.change, disk) }
        entries.removeAll(where: isDurable)
    }

    /// The power is cut.
    /// - Parameter forgets: whether a folder forgets from here on, asked for each of its changes.
    mutating func lose(_ disk: LinuxFileSystem, forgets: () -> Bool) throws {
        var forgetful: Set<String> = []
        var undone: [Change] = []
        for entry in entries {
            if forgetful.isDisjoint(with: entry.folders), !forgets() {
                bury(entry.change, disk)
                continue
            }
            forgetful.formUnion(entry.folders)
            undone.append(entry.change)
        }
        entries = []
        for change in undone.reversed() { try undo(change, disk) }
    }

    private func undo(_ change: Change, _ disk: LinuxFileSystem) throws {
        switch change {
        case .made(let path):
            if disk.exists(path) { try disk.remove(path) }
        case .removed(let path, let grave):
            if disk.exists(grave), !disk.exists(path) { try disk.rename(grave, to: path) }
        case .renamed(let path, let target, let replaced):
            if disk.exists(target) { try disk.rename(target, to: path) }
            if let replaced { try disk.rename(replaced, to: target) }
        case .madeFolder(let path): try removeAll(path, disk)
        case .removedFolder(let path): try disk.makeFolder(path)
        }
    }

    private func removeAll(_ path: String, _ disk: LinuxFileSystem) throws {
        guard disk.exists(path) else { return }
        for name in try disk.list(path) {
            do {
                try disk.remove("\(path)/\(name)")
            } catch {
                try removeAll("\(path)/\(name)", disk)
            }
        }
        try disk.removeFolder(path)
    }

    /// It does not come back.
    private func bury(_ change: Change, _ disk: LinuxFileSystem) {
        let grave: String? =
            switch change {
            case .removed(_, let grave): grave
            case .renamed(_, _, let replaced): replaced
            case .made, .madeFolder, .removedFolder: nil
            }
        // What is left of it is in nobody's way.
        if let grave { try? disk.remove(grave) }
    }

    private static func folder(of path: String) -> String { LinuxFileSystem.folder(of: path) }
}

extension NameJournal.Change {
    fileprivate var paths: [String] {
        switch self {
        case .made(let path), .removed(let path, _), .madeFolder(let path),
            .removedFolder(let path):
            [path]
        case .renamed(let path, let target, _): [path, target]
        }
    }
}
