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
    private let links: ArrivingLinks
    private let contents: ArrivingFiles

    /// So much is moved in one go: each of them has the disk catch up twice.
    private static let batch = 500

    package init(_ replica: Replica) {
        self.replica = replica
        folder = Self.folder(inReplica: replica.folder)
        links = ArrivingLinks(folder: folder + "/links", files: replica.world.files)
        contents = ArrivingFiles(replica: replica, draft: folder + "/copy")
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

    /// Whether nothing is in a replica's folder but what is made there before a tree is put into it.
    package static func isOnlyBegun(
        inReplica replica: String, _ files: any FileSystem
    ) throws(FileError) -> Bool {
        let folder = folder(inReplica: replica)
        let folders = folders(inReplica: replica)
        let own = [replica: ["import"], folder: ["folders", "draft"], folders: []]
        for path in [replica, folder, folders] {
            if try files.factsIfAny(of: path) == nil { continue }
            let names = try files.list(path)
            let mine = own[path] ?? []
            guard names.allSatisfy({ mine.contains($0) }) else { return false }
        }
        return true
    }

    /// Takes in all that is left of it.
    package func takeIn() async throws {
        guard try replica.read({ try $0.isArriving() }) else { return }
        var last = NodeID(rawValue: 0)
        while true {
            let after = last
            let rows = try replica.read { try $0.arrivals(after: after, limit: Self.batch) }
            guard let newest = rows.last else { break }
            last = newest.node
            _ = try await settle(rows)
        }
        try settleLinks()
        while let id = try nextFolder() { try await takeIn(id) }
        // Empty by now; what nobody knows keeps its folder.
        try contents.removeDraft()
        try links.removeFolder()
        for path in [folders, folder] where try files.factsIfAny(of: path) != nil {
            try files.removeFolder(path)
        }
        try files.synchronizeFolder(replica.folder)
        try await replica.write { try $0.endArrival() }
    }

    private var folders: String { Self.folders(inReplica: replica.folder) }

    private func path(of id: NodeID) -> String { "\(folders)/\(id.rawValue)" }

    private func nextFolder() throws(FileError) -> NodeID? {
        guard try files.factsIfAny(of: folders) != nil else { return nil }
        let names = try files.openFolder(folders)
        while true {
            let part = try names.next(10)
            if part.isEmpty { return nil }
            if let id = part.lazy.compactMap(Int64.init).first { return NodeID(rawValue: id) }
        }
    }

    private func takeIn(_ id: NodeID) async throws {
        let path = path(of: id)
        guard let names = try openToTakeIn(path) else {
            return try setAside(path, named: "not readable", in: id)
        }
        var isAnythingLeft = false
        while true {
            try Task.checkCancellation()
            let part = try readNames(names, of: path)
            if part == nil { isAnythingLeft = true }
            guard let part, !part.isEmpty else { break }
            var entries: [Entry] = []
            for name in part where try !look(at: name, in: id, &entries) { isAnythingLeft = true }
            let claims = entries
            let isAllThere = try await settle(replica.write { try $0.claim(claims) })
            if !isAllThere { isAnythingLeft = true }
        }
        if isAnythingLeft {
            try setAside(path, named: "not readable", in: id)
        } else {
            try removeIfEmpty(path)
        }
    }

    /// - Returns: nil where it cannot be read.
    private func openToTakeIn(_ path: String) throws -> (any FolderNames)? {
        do {
            try files.setMode(0o700, at: path)
            return try files.openFolder(path)
        } catch  where error.isOfOneAlone {
            noteLeft(path, error)
            return nil
        }
    }

    private func readNames(_ names: any FolderNames, of path: String) throws -> [String]? {
        do {
            return try names.next(Self.batch).sorted()
        } catch  where error.isOfOneAlone {
            noteLeft(path, error)
            return nil
        }
    }

    /// - Returns: false when it stays where it is.
    private func look(
        at name: String, in id: NodeID, _ entries: inout [Entry]
    ) throws -> Bool {
        do {
            if let entry = try look(at: name, in: id) { entries.append(entry) }
            return true
        } catch let error as FileError where error.isOfOneAlone {
            noteLeft("\(path(of: id))/\(name)", error)
            return false
        }
    }

    /// - Returns: nil for what is none, and lies elsewhere now.
    private func look(at name: String, in id: NodeID) throws -> Entry? {
        let path = "\(path(of: id))/\(name)"
        guard let facts = try files.factsIfAny(of: path) else { return nil }
        if facts.kind == .other {
            try setAside(path, named: name, in: id)
            return nil
        }
        guard try isToBeHad(path, facts) else {
            throw FileError("take over", path, code: EACCES)
        }
        return try entry(name, in: id, facts)
    }

    private func noteLeft(_ path: String, _ error: FileError) {
        replica.world.log.warning(
            "something cannot be imported",
            ["file": .text(path), "error": .text("\(error)")])
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
            try files.removeFolder(path)
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
        guard EntryAttributes.takes(attributes.mapValues { $0.count }) else {
            throw FileError("take over what is noted at", path, code: E2BIG)
        }
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

    /// - Returns: false when something stays where it was.
    private func settle(_ rows: [ArrivalRow]) async throws -> Bool {
        var sizes: [NodeID: Int64] = [:]
        var written: Set<NodeID> = []
        var left: [ArrivalRow] = []
        var isAllThere = true
        for row in rows {
            switch try tryToBring(row) {
            case .there(let size):
                sizes[row.node] = size
                if let file = row.file, try files.isWritten(replica.contents.path(file)) {
                    written.insert(row.node)
                }
            case .staying: left.append(row)
            case .nowhere: if try isAnythingLeft(of: row) { isAllThere = false }
            }
        }
        // Nothing is a node before a crash of the machine would leave its bytes where they are.
        try replica.contents.synchronise()
        let (found, staying, open) = (sizes, left, written)
        try await replica.write { transaction in
            for row in rows {
                guard let size = found[row.node] else { continue }
                try transaction.settle(row, size: size)
                if open.contains(row.node) { try transaction.noteWriter(of: row.node) }
            }
            for row in staying { try transaction.forgetArrival(row) }
        }
        let settled = rows.filter { $0.entry.kind == .symlink && found[$0.node] != nil }
        try links.remove(settled.map(\.node))
        return isAllThere && left.isEmpty
    }

    /// Those that had become nodes when the process died go; one of which nobody knows is somebody's still.
    private func settleLinks() throws {
        for (id, path, target) in try links.leftovers() {
            let known = try replica.read { try $0.node(id)?.trees.local?.content }
            if known == .target(target) {
                try links.remove([id])
            } else {
                try setAside(path, named: "link", in: .root)
            }
        }
    }

    private enum Outcome {
        case there(Int64)
        case staying
        /// Of what lies nowhere else, the row is all that is known: it stays.
        case nowhere
    }

    private func tryToBring(_ row: ArrivalRow) throws -> Outcome {
        do {
            guard let size = try bring(row) else { return .nowhere }
            return .there(size)
        } catch  where error.isOfOneAlone {
            noteLeft(source(of: row), error)
            // Of what has been moved, the row is all that is known. What lies at its source is something else.
            if let file = row.file, try replica.contents.isThere(file) { return .nowhere }
            return try isAnythingLeft(of: row) ? .staying : .nowhere
        }
    }

    private func isAnythingLeft(of row: ArrivalRow) throws(FileError) -> Bool {
        try files.factsIfAny(of: source(of: row)) != nil
    }

    private func source(of row: ArrivalRow) -> String { "\(path(of: row.folder))/\(row.name)" }

    /// Moves something to its place, if it is not there yet.
    /// - Returns: how long it is; nil when it is nowhere any more.
    private func bring(_ row: ArrivalRow) throws(FileError) -> Int64? {
        let source = source(of: row)
        let facts = try files.factsIfAny(of: source)
        switch row.entry.kind {
        case .symlink:
            // Anything else has come since it was taken.
            if facts?.kind == .symlink,
                try row.entry.content == .target(files.target(ofSymlink: source))
            {
                try links.take(source, as: row.node)
            }
            return 0
        case .folder:
            let target = path(of: row.node)
            if try files.factsIfAny(of: target) == nil {
                guard facts?.kind == .folder else { return noteMissing(source) }
                // Only who may write to a folder may move it.
                try files.setMode(0o700, at: source)
                try files.rename(source, to: target)
            }
            return 0
        case .file:
            guard let file = row.file else { return nil }
            return try contents.take(source, as: row, file: file) ?? noteMissing(source)
        }
    }

    private func noteMissing(_ path: String) -> Int64? {
        replica.world.log.error("what was to be imported is not there", ["file": .text(path)])
        return nil
    }
}

extension FileError {
    /// Whether another file may fare better: neither the disk is full nor does the process lack anything.
    var isOfOneAlone: Bool {
        !isOutOfSpace && ![ENOMEM, EMFILE, ENFILE, EROFS, EINTR].contains(code)
    }
}
