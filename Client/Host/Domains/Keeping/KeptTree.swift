import BasketSupport
import FileProvider
import FileProviderReplica
import Foundation
import Glibc

/// Brings together what is to be kept of a domain that goes: an ordinary tree of files. The replica, which nobody
/// hosts meanwhile, stays as it is; where it can, a file only gets a second name.
struct KeptTree {
    let replica: Replica
    let files: any FileSystem
    let log: Log
    /// Where it comes to be. Nothing is there before.
    let folder: String
    /// Whether also what the provider has is kept, as far as it is here.
    let keepsDownloads: Bool

    /// A folder that is being walked through.
    private struct Frame {
        let node: StoredNode?
        let id: NodeID
        let path: String
        var isMade = false
        var last: String?
        var waiting: [StoredNode] = []
    }

    private static let pageSize = 200
    /// What lies deeper gets a place further up: no program could name it else.
    private static let longestPath = 3_500

    /// - Returns: whether there was anything.
    func gather() async throws -> Bool {
        let above = LinuxFileSystem.folder(of: folder)
        try files.makeFolder(above)
        let disk = try files.openDisk(holding: above)
        // What was lost of the replica's files is heard of by the replica alone.
        try await replica.synchronise()
        try await walk(.root, to: folder)
        let trash = try replica.read { try $0.freeName(like: "Trash", in: .root) }
        try await walk(.trash, to: "\(folder)/\(trash)")
        try gatherLoose()
        guard try files.factsIfAny(of: folder) != nil else { return false }
        try disk.synchronize()
        return true
    }

    // MARK: The tree

    private func walk(_ top: NodeID, to path: String) async throws {
        var frames = [Frame(node: nil, id: top, path: path)]
        while var frame = frames.popLast() {
            try Task.checkCancellation()
            if frame.waiting.isEmpty {
                await Task.yield()
                let (id, last) = (frame.id, frame.last)
                frame.waiting = try replica.read {
                    try $0.children(of: id, after: last, limit: Self.pageSize).reversed()
                }
            }
            guard let node = frame.waiting.popLast(), let local = node.trees.local else {
                if frame.isMade, let node = frame.node { try finish(node, at: frame.path) }
                continue
            }
            frame.last = local.name
            frames.append(frame)
            if node.kind == .folder {
                let path = try self.path(of: node, named: local.name, in: frame.path)
                frames.append(Frame(node: node, id: node.id, path: path))
                if node.isOnlyHere { try make(&frames) }
            } else if let how = node.keeping(withDownloads: keepsDownloads) {
                try make(&frames)
                try keep(node, how, in: frame.path)
            }
        }
    }

    private func path(
        of node: StoredNode, named name: String, in folder: String
    ) throws -> String {
        let path = "\(folder)/\(name)"
        if path.utf8.count <= Self.longestPath { return path }
        let deeper = try replica.read { try $0.freeName(like: "Deeper folders", in: .root) }
        return "\(self.folder)/\(deeper)/\(node.id.rawValue)"
    }

    private func make(_ frames: inout [Frame]) throws {
        for index in frames.indices where !frames[index].isMade {
            try files.makeFolder(frames[index].path)
            frames[index].isMade = true
        }
    }

    // MARK: One of them

    private func keep(_ node: StoredNode, _ how: StoredNode.Keeping, in folder: String) throws {
        guard let local = node.trees.local else { return }
        let path = "\(folder)/\(local.name)"
        switch how {
        case .link(let target):
            try files.makeSymlink(to: target, at: path)
            try finish(node, at: path)
        case .whole:
            guard let file = node.file else {
                _ = try files.create(path)
                return try finish(node, at: path)
            }
            guard try replica.contents.isThere(file) else { return try noteMissing(path) }
            guard try replica.contents.open(file).size() >= node.size else {
                return try keepPart(node, local, [0..<node.size], in: folder)
            }
            try KeptFile(replica: replica, files: files).keep(file, at: path)
            try finish(node, at: path)
        case .part:
            let ranges = try replica.read { try $0.ranges(of: node.id).ranges }
            try keepPart(node, local, ranges, in: folder)
            try keepEarlier(node, at: path)
        case .earlier: try keepEarlier(node, at: path)
        }
    }

    /// What was here when the provider had something newer, which has not come, or not in whole: nobody else is called so.
    private func keepEarlier(_ node: StoredNode, at path: String) throws {
        guard let basis = node.basis else { return }
        guard try replica.contents.isThere(basis.file) else { return try noteMissing(path) }
        try KeptFile(replica: replica, files: files).keep(basis.file, at: path)
        try finish(node, at: path)
    }

    /// What is not whole must not look like it.
    private func keepPart(
        _ node: StoredNode, _ local: Entry, _ ranges: [Range<Int64>], in folder: String
    ) throws {
        guard let file = node.file, !ranges.isEmpty else { return }
        let suffix = ".incomplete"
        var stem = local.name
        while stem.utf8.count + suffix.utf8.count > CaseRule.longestName { stem.removeLast() }
        let path = try freePath(like: stem + suffix, of: local, in: folder)
        guard try replica.contents.isThere(file) else { return try noteMissing(path) }
        let source = try replica.contents.open(file)
        let size = try source.size()
        _ = try files.create(path)
        let target = try files.openToChange(path)
        for range in ranges {
            let there = range.clamped(to: 0..<size)
            guard try target.copy(there, from: source) == there.upperBound else {
                throw FileError("copy to", path, code: EIO)
            }
        }
        try target.resize(to: node.size)
        try target.synchronize()
        try finish(node, at: path)
    }

    /// A name that neither a node has nor another part, whose name was cut off in the same place.
    private func freePath(
        like wanted: String, of local: Entry, in folder: String
    ) throws -> String {
        var name = try replica.read { try $0.freeName(like: wanted, in: local.parent) }
        while try files.factsIfAny(of: "\(folder)/\(name)") != nil {
            let taken = name
            name = try replica.read { try $0.standIn(for: taken, in: local.parent, for: nil) }
        }
        return "\(folder)/\(name)"
    }

    /// Whoever looks for it finds out that it was there.
    private func noteMissing(_ path: String) throws {
        log.error("bytes that were to be kept are not there", ["file": .text(path)])
        var folder = path.split(separator: "/", omittingEmptySubsequences: false)
        var name = folder.popLast().map(String.init) ?? "file"
        let suffix = ".missing"
        while name.utf8.count + suffix.utf8.count > CaseRule.longestName { name.removeLast() }
        let home = folder.joined(separator: "/")
        try files.makeFolder(home)
        _ = try files.create(files.freePath(for: name + suffix, in: home))
    }

    /// Attributes as lines of text: their names, and in Base64 what they hold.
    private func keepBeside(
        _ attributes: [String: Data], _ path: String
    ) throws(FileError) {
        let lines = attributes.sorted { $0.key < $1.key }.map {
            "\($0.key)=\($0.value.base64EncodedString())\n"
        }
        var folder = path.split(separator: "/", omittingEmptySubsequences: false)
        var name = folder.popLast().map(String.init) ?? "file"
        let suffix = ".attributes"
        while name.utf8.count + suffix.utf8.count > CaseRule.longestName { name.removeLast() }
        let place = try files.freePath(
            for: name + suffix, in: folder.joined(separator: "/"))
        _ = try files.create(place)
        try files.openToChange(place).write(Array(lines.joined().utf8), at: 0)
        log.warning("attributes are kept in a file beside it", ["file": .text(path)])
    }

    /// Its attributes, its date and its rights; what the disk does not take of them is not worth the bytes, but a disk
    /// that takes nothing more is no place for them.
    private func finish(_ node: StoredNode, at path: String) throws(FileError) {
        guard let attributes = node.trees.local?.attributes else { return }
        do throws(FileError) {
            for (name, value) in attributes.extended.sorted(by: { $0.key < $1.key }) {
                let name = name.hasPrefix("user.") ? name : "user.\(name)"
                try files.setAttribute(name, Array(value), at: path)
            }
        } catch  where error.isOutOfSpace {
            // Many disks have room for a few kilobytes of them at each file, whatever else they have room for.
            try keepBeside(attributes.extended, path)
        } catch  where !error.isOfTheDisk {
            log.warning("attributes cannot be kept", ["error": .text("\(error)")])
        }
        do throws(FileError) {
            if let modified = attributes.modified { try files.setModified(modified, at: path) }
            if node.kind != .symlink { try files.setMode(node.keptMode, at: path) }
        } catch  where !error.isOfTheDisk {
            log.warning("a date or rights cannot be kept", ["error": .text("\(error)")])
        }
    }

    // MARK: What lies in no folder

    private static let looseAtOnce = 500

    /// Bytes that were put aside, and such as an earlier replica has left and that have not come back yet.
    private func gatherLoose() throws {
        let aside = try replica.read { try $0.freeName(like: "Put aside", in: .root) }
        var last: Int64 = 0
        while true {
            let after = last
            let rescued = try replica.read {
                try $0.rescued(after: after, limit: Self.looseAtOnce)
            }
            guard let newest = rescued.last else { break }
            last = newest.file
            for content in rescued {
                try keepLoose(
                    content.file, named: content.path.split(separator: "/").map(String.init),
                    in: "\(folder)/\(aside)")
            }
        }
        try gatherStranded(in: "\(folder)/\(aside)")
        last = .max
        while true {
            let before = last
            let found = try replica.read {
                try $0.found(before: before, limit: Self.looseAtOnce)
            }
            guard let oldest = found.last else { return }
            last = oldest.file
            for content in found {
                try keepLoose(content.file, named: content.mark.path, in: "\(folder)/\(aside)")
            }
        }
    }

    /// What was being imported, and has come neither here nor there.
    private func gatherStranded(in folder: String) throws {
        var last = NodeID(rawValue: 0)
        while true {
            let after = last
            let rows = try replica.read {
                try $0.arrivals(after: after, limit: Self.looseAtOnce)
            }
            guard let newest = rows.last else { return }
            last = newest.node
            for row in rows {
                if let file = row.file { try keepLoose(file, named: [row.name], in: folder) }
            }
        }
    }

    private func keepLoose(_ file: Int64, named path: [String], in folder: String) throws {
        var home = folder
        for name in path.dropLast() where CaseRule.posix.problem(with: name) == nil {
            let next = "\(home)/\(name)"
            let isFree = try files.factsIfAny(of: next).map { $0.kind == .folder } ?? true
            guard isFree, next.utf8.count <= Self.longestPath else { break }
            home = next
        }
        try files.makeFolder(home)
        let wanted = path.last ?? "recovered"
        let name = CaseRule.posix.problem(with: wanted) == nil ? wanted : "recovered"
        let place = try files.freePath(for: name, in: home)
        guard try replica.contents.isThere(file) else { return try noteMissing(place) }
        try KeptFile(replica: replica, files: files).keep(file, at: place)
    }
}
