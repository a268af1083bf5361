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
        let names = try files.openFolder(folders)
        while true {
            let part = try names.next(10)
            if part.isEmpty { return nil }
            if let id = part.lazy.compactMap(Int64.init).first { return NodeID(rawValue: id) }
        }
    }

    private func takeIn(_ id: NodeID) async throws {
        let path = path(of: id)
        try files.setMode(0o700, at: path)
        let names = try files.openFolder(path)
        var isAnythingLeft = false
        while true {
            try Task.checkCancellation()
            let part = try names.next(Self.batch).sorted()
            if part.isEmpty { break }
            var entries: [Entry] = []
            for name in part {
                let facts = try files.facts(of: "\(path)/\(name)")
                if facts.kind == .other {
                    try setAside("\(path)/\(name)", named: name, in: id)
                } else if try isToBeHad("\(path)/\(name)", facts) {
                    entries.append(try entry(name, in: id, facts))
                } else {
                    isAnythingLeft = true
                }
            }
            let claims = entries
            try await settle(replica.write { try $0.claim(claims) })
        }
        if isAnythingLeft {
            try setAside(path, named: "not readable", in: id)
        } else {
            try removeIfEmpty(path)
        }
    }

    /// Another user's folder cannot be moved, and another user's file perhaps not be read.
    private func isToBeHad(_ path: String, _ facts: FileFacts) throws(FileError) -> Bool {
        if facts.isOwn || facts.kind == .symlink { return true }
        guard facts.kind == .file else { return false }
        do throws(FileError) {
            _ = try files.open(path)
            return true
        } catch  where error.isForbidden {
            return false
        }
    }

    private func removeIfEmpty(_ path: String) throws(FileError) {
        do throws(FileError) {
            try files.remove(path)
        } catch  where error.code == ENOTEMPTY {
            // Its turn comes again, for what the reading has missed.
            return
        }
    }

    private func entry(
        _ name: String, in folder: NodeID, _ facts: FileFacts
    ) throws(FileError) -> Entry {
        let path = "\(path(of: folder))/\(name)"
        var flags: NSFileProviderFileSystemFlags = []
        if facts.mode & 0o400 != 0 { flags.insert(.userReadable) }
        if facts.mode & 0o200 != 0 { flags.insert(.userWritable) }
        if facts.mode & 0o100 != 0 { flags.insert(.userExecutable) }
        var attributes = EntryAttributes(
            created: facts.modified, modified: facts.modified, flags: flags)
        switch facts.kind {
        case .symlink:
            attributes.flags = EntryAttributes().flags
            let target = try files.target(ofSymlink: path)
            return Entry(
                parent: folder, name: name, kind: .symlink, content: .target(target),
                attributes: attributes)
        case .file, .folder, .other:
            attributes.extended = try extended(path, facts).mapValues { Data($0) }
            return Entry(
                parent: folder, name: name, kind: facts.kind == .folder ? .folder : .file,
                content: .none, attributes: attributes)
        }
    }

    /// Who owns it may read it, whatever its rights say.
    private func extended(
        _ path: String, _ facts: FileFacts
    ) throws(FileError) -> [String: [UInt8]] {
        let isReadable = facts.mode & 0o400 != 0 || !facts.isOwn
        if !isReadable { try files.setMode(facts.mode | 0o400, at: path) }
        let attributes = try files.attributes(of: path)
        if !isReadable { try files.setMode(facts.mode, at: path) }
        return attributes
    }

    private func setAside(_ path: String, named name: String, in id: NodeID) throws {
        let names = try replica.read { try $0.path(of: id) }
        let folder =
            ([Self.notImported(inReplica: replica.folder)] + names).joined(separator: "/")
        try files.makeFolder(folder)
        let target = try files.freePath(for: name, in: folder)
        try files.rename(path, to: target)
        replica.world.log.warning(
            "something cannot be imported, and lies elsewhere now", ["place": .text(target)])
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
                try move(source, facts, row.entry, to: file)
            }
            // Of a copy, this is the original.
            if try files.factsIfAny(of: source) != nil { try files.remove(source) }
            return try replica.contents.open(file).size()
        }
    }

    private func move(
        _ source: String, _ facts: FileFacts, _ entry: Entry, to file: Int64
    ) throws(FileError) {
        if facts.links > 1 { return try copy(source, facts, to: file) }
        if facts.isOwn {
            try files.setMode(0o600, at: source)
            for name in entry.attributes.extended.keys.sorted() {
                try files.setAttribute(name, nil, at: source)
            }
        }
        try replica.contents.adopt(source, as: file)
    }

    /// Others have the same bytes under a name of their own, and go on with them.
    private func copy(
        _ source: String, _ facts: FileFacts, to file: Int64
    ) throws(FileError) {
        if files.exists(draft) { try files.remove(draft) }
        let isReadable = facts.mode & 0o400 != 0 || !facts.isOwn
        if !isReadable { try files.setMode(facts.mode | 0o400, at: source) }
        try files.copyFile(source, to: draft)
        if !isReadable { try files.setMode(facts.mode, at: source) }
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
