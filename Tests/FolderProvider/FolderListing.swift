import FileProvider
import Foundation
import Glibc

/// What lay in a folder when it was last looked at, and in which order that changed. It names items by a table of its
/// own: by the inode, and where an editor has put another file in a file's place, by the path.
package struct FolderListing {
    package enum Kind: Sendable {
        case file, folder, link
    }

    package struct Record: Sendable, Equatable {
        package var id: NSFileProviderItemIdentifier
        package var parent: NSFileProviderItemIdentifier
        package var path: String
        package var kind: Kind
        package var inode: UInt64
        package var size: Int64
        /// In nanoseconds.
        package var modified: Int64
        package var target: String?

        package var name: String { path.split(separator: "/").last.map { String($0) } ?? "" }
        /// By which it is known again under another name. The number alone may be another file's by now.
        var file: [String] { ["\(inode)", kind == .folder ? "" : "\(size) \(modified)"] }
        var contentVersion: Data { Data("\(inode) \(size) \(modified) \(target ?? "")".utf8) }
    }

    package let root: String
    package private(set) var records: [NSFileProviderItemIdentifier: Record] = [:]
    /// When each of them changed last, also of those that are gone.
    private var ranks: [NSFileProviderItemIdentifier: Int] = [:]
    private(set) var rank = 0
    private var numbers = 0

    package init(root: String) {
        self.root = root
    }

    /// Looks at the folder, and notes what is different there.
    package mutating func refresh() {
        let before = records
        let byFile = Dictionary(before.values.map { ($0.file, $0) }) { first, _ in first }
        let byPath = Dictionary(uniqueKeysWithValues: before.values.map { ($0.path, $0) })
        let found = Self.walk(root, knowing: before.values.map(\.path))
        let files = Set(found.map(\.file))
        var names: [String: NSFileProviderItemIdentifier] = ["": .rootContainer]
        records = [:]
        for var record in found {
            // Moved, or where it was; else what was there has been replaced, or written to.
            let replaced = byPath[record.path].flatMap { files.contains($0.file) ? nil : $0 }
            let known = [byFile[record.file], replaced].compactMap(\.self).first {
                $0.kind == record.kind && records[$0.id] == nil
            }
            if let known {
                record.id = known.id
            } else {
                numbers += 1
                record.id = NSFileProviderItemIdentifier("entry \(numbers)")
            }
            names[record.path] = record.id
            record.parent = names[Self.folder(of: record.path)] ?? .rootContainer
            records[record.id] = record
            if before[record.id] != record { note(record.id) }
        }
        for id in before.keys.map(\.rawValue).sorted() {
            let id = NSFileProviderItemIdentifier(id)
            if records[id] == nil { note(id) }
        }
    }

    private mutating func note(_ id: NSFileProviderItemIdentifier) {
        rank += 1
        ranks[id] = rank
    }

    /// Which items have changed since then, folders before what is in them.
    package func changed(since rank: Int) -> (there: [Record], gone: [NSFileProviderItemIdentifier])
    {
        let ids = ranks.filter { $0.value > rank }.map(\.key)
        return (
            ids.compactMap { records[$0] }.sorted { $0.path < $1.path },
            ids.filter { records[$0] == nil }
        )
    }

    package func path(of id: NSFileProviderItemIdentifier) -> String? {
        id == .rootContainer ? root : records[id].map { root + $0.path }
    }

    // MARK: The disk

    package static func folder(of path: String) -> String {
        String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    }

    /// Everything below a folder, folders before what is in them; paths begin with a slash. While somebody changes a
    /// folder, listing it may leave out what is there, or have it twice: what was known is looked for by its name.
    private static func walk(_ root: String, knowing paths: [String]) -> [Record] {
        var known: [String: [String]] = [:]
        for path in paths {
            known[folder(of: path), default: []].append(
                String(path.split(separator: "/").last ?? ""))
        }
        return walk(root, "", known)
    }

    private static func walk(
        _ root: String, _ folder: String, _ known: [String: [String]]
    ) -> [Record] {
        let listed = (try? FileManager.default.contentsOfDirectory(atPath: root + folder)) ?? []
        return Set(listed + known[folder, default: []]).sorted().flatMap { name -> [Record] in
            let path = folder + "/" + name
            guard let record = look(root, path) else { return [] }
            return [record] + (record.kind == .folder ? walk(root, path, known) : [])
        }
    }

    package static func look(_ root: String, _ path: String) -> Record? {
        var facts = stat()
        guard lstat(root + path, &facts) == 0 else { return nil }
        let kind: Kind
        switch facts.st_mode & S_IFMT {
        case S_IFREG: kind = .file
        case S_IFDIR: kind = .folder
        case S_IFLNK: kind = .link
        default: return nil
        }
        let isFolder = kind == .folder
        return Record(
            id: .rootContainer, parent: .rootContainer, path: path, kind: kind,
            inode: UInt64(facts.st_ino), size: isFolder ? 0 : Int64(facts.st_size),
            modified: isFolder
                ? 0 : Int64(facts.st_mtim.tv_sec) * 1_000_000_000 + Int64(facts.st_mtim.tv_nsec),
            target: kind == .link
                ? try? FileManager.default.destinationOfSymbolicLink(atPath: root + path) : nil)
    }
}
