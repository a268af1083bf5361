import BasketSupport
import FileProvider
import Foundation
import Glibc

/// A tree that somebody had on the disk, on its way into the replica: file by file it becomes contents and nodes, and
/// gets smaller. Each folder whose turn has not come lies beside the others under its node's number, so that what is
/// left to do is what is left there, however deep the tree is, and wherever a process dies.
package struct ArrivingTree: Sendable {
    private let replica: Replica
    private let folder: String

    /// So much is moved in one go: each of them has the disk catch up twice.
    private static let batch = 500

    package init(_ replica: Replica) {
        self.replica = replica
        folder = Self.folder(inReplica: replica.folder)
    }

    private var files: any FileSystem { replica.world.files }

    /// While it is there, a replica has a tree to take in.
    package static func folder(inReplica replica: String) -> String { replica + "/import" }

    /// Where the folders lie whose turn has not come.
    package static func folders(inReplica replica: String) -> String {
        folder(inReplica: replica) + "/folders"
    }

    /// Where the tree is put that is to be taken in.
    package static func top(inReplica replica: String) -> String {
        "\(folders(inReplica: replica))/\(NodeID.root.rawValue)"
    }

    /// What no provider could take: sockets, pipes, devices.
    package static func notImported(inReplica replica: String) -> String {
        replica + "/not imported"
    }

    /// Takes in all that is left of it.
    package func takeIn() async throws {
        guard try replica.read({ try $0.isArriving() }) else { return }
        while true {
            let rows = try replica.read { try $0.arrivals(limit: Self.batch) }
            if rows.isEmpty { break }
            try await settle(rows)
        }
        while let id = try nextFolder() { try await takeIn(id) }
        // Empty by now; what nobody knows keeps its folder.
        if files.exists(draft) { try files.remove(draft) }
        for path in [folders, folder] where files.exists(path) { try files.remove(path) }
        try files.synchronizeFolder(replica.folder)
        try await replica.write { try $0.endArrival() }
    }

    /// Where bytes are copied to before they are whole.
    private var draft: String { folder + "/copy" }

    private var folders: String { Self.folders(inReplica: replica.folder) }

    private func path(of id: NodeID) -> String { "\(folders)/\(id.rawValue)" }

    private func nextFolder() throws(FileError) -> NodeID? {
        guard files.exists(folders) else { return nil }
        let name = try files.openFolder(folders).next(1).first
        return name.flatMap(Int64.init).map(NodeID.init)
    }

    private func takeIn(_ id: NodeID) async throws {
        let path = path(of: id)
        try files.setMode(0o700, at: path)
        let names = try files.openFolder(path)
        while true {
            try Task.checkCancellation()
            let part = try names.next(Self.batch).sorted()
            if part.isEmpty { break }
            var entries: [Entry] = []
            for name in part {
                if let entry = try entry(name, in: id) {
                    entries.append(entry)
                } else {
                    try setAside(name, in: id)
                }
            }
            let claims = entries
            try await settle(replica.write { try $0.claim(claims) })
        }
        try removeIfEmpty(path)
    }

    private func removeIfEmpty(_ path: String) throws(FileError) {
        do throws(FileError) {
            try files.remove(path)
        } catch  where error.code == ENOTEMPTY {
            // Its turn comes again, for what the reading has missed.
            return
        }
    }

    /// What is said of it; nil for what cannot be an item.
    private func entry(_ name: String, in folder: NodeID) throws(FileError) -> Entry? {
        let path = "\(path(of: folder))/\(name)"
        let facts = try files.facts(of: path)
        let kind: NodeKind
        var content = EntryContent.none
        switch facts.kind {
        case .file: kind = .file
        case .folder: kind = .folder
        case .symlink:
            kind = .symlink
            content = .target(try files.target(ofSymlink: path))
        case .other: return nil
        }
        var flags: NSFileProviderFileSystemFlags = []
        if facts.mode & 0o400 != 0 { flags.insert(.userReadable) }
        if facts.mode & 0o200 != 0 { flags.insert(.userWritable) }
        if facts.mode & 0o100 != 0 { flags.insert(.userExecutable) }
        if kind == .symlink { flags = EntryAttributes().flags }
        let extended = kind == .symlink ? [:] : try attributes(of: path, facts)
        return Entry(
            parent: folder, name: name, kind: kind, content: content,
            attributes: EntryAttributes(
                created: facts.modified, modified: facts.modified, flags: flags,
                extended: extended.mapValues { Data($0) }))
    }

    /// Who owns it may read it, whatever its rights say.
    private func attributes(
        of path: String, _ facts: FileFacts
    ) throws(FileError) -> [String: [UInt8]] {
        do throws(FileError) {
            return try files.attributes(of: path)
        } catch  where error.isForbidden {
            try files.setMode(facts.mode | 0o600, at: path)
            return try files.attributes(of: path)
        }
    }

    private func setAside(_ name: String, in id: NodeID) throws {
        let names = try replica.read { try $0.path(of: id) }
        let folder =
            ([Self.notImported(inReplica: replica.folder)] + names).joined(separator: "/")
        try files.makeFolder(folder)
        let target = try files.freePath(for: name, in: folder)
        try files.rename("\(path(of: id))/\(name)", to: target)
        replica.world.log.warning(
            "what is neither file, folder nor symlink is not imported", ["kept": .text(target)])
    }

    // MARK: Into the replica

    private func settle(_ rows: [ArrivalRow]) async throws {
        var sizes: [NodeID: Int64] = [:]
        for row in rows { sizes[row.node] = try bring(row) }
        // Nothing is a node before a crash of the machine would leave its bytes where they are.
        try replica.contents.synchronise()
        let found = sizes
        try await replica.write { transaction in
            for row in rows {
                if let size = found[row.node] {
                    try transaction.settle(row, size: size)
                } else {
                    try transaction.forgetArrival(row)
                }
            }
        }
        for row in rows where found[row.node] != nil { mark(row) }
    }

    /// Moves something to its place, if it is not there yet.
    /// - Returns: how long it is; nil when it is nowhere any more.
    private func bring(_ row: ArrivalRow) throws -> Int64? {
        let source = "\(path(of: row.folder))/\(row.name)"
        let facts = try files.factsIfAny(of: source)
        switch row.entry.kind {
        case .symlink:
            if facts != nil { try files.remove(source) }
            return 0
        case .folder:
            let target = path(of: row.node)
            if try files.factsIfAny(of: target) == nil {
                guard facts != nil else { return noteMissing(source) }
                // Only who may write to a folder may move it.
                try files.setMode(0o700, at: source)
                try files.rename(source, to: target)
            }
            return 0
        case .file:
            guard let file = row.file else { return nil }
            if !replica.contents.exists(file) {
                guard let facts else { return noteMissing(source) }
                try files.setMode(0o600, at: source)
                for name in row.entry.attributes.extended.keys.sorted() {
                    try files.setAttribute(name, nil, at: source)
                }
                if facts.links > 1 {
                    try copy(source, to: file)
                } else {
                    try replica.contents.adopt(source, as: file)
                }
            }
            // Of a copy, this is the original.
            if try files.factsIfAny(of: source) != nil { try files.remove(source) }
            return try replica.contents.open(file).size()
        }
    }

    /// Others have the same bytes under a name of their own.
    private func copy(_ source: String, to file: Int64) throws(FileError) {
        if files.exists(draft) { try files.remove(draft) }
        try files.copyFile(source, to: draft)
        try files.open(draft).synchronize()
        try replica.contents.adopt(draft, as: file)
        try files.synchronizeFolder(replica.contents.folder(of: file))
    }

    private func noteMissing(_ path: String) -> Int64? {
        replica.world.log.error("what was to be imported is not there", ["file": .text(path)])
        return nil
    }

    /// Only this device has it.
    private func mark(_ row: ArrivalRow) {
        guard let file = row.file else { return }
        do {
            let mark = try replica.read { reader in
                try reader.node(row.node).map { try reader.mark(of: $0) }
            }
            if let mark { try replica.contents.set(mark, at: file) }
        } catch {
            replica.world.log.warning(
                "nothing can be noted at a file", ["error": .text("\(error)")])
        }
    }
}
