import BasketDatabase
import BasketSupport
import FileProvider
import Foundation

extension ReplicaReader {
    /// Which bytes of a partial content are here.
    package func ranges(of id: NodeID) throws -> ContentRanges {
        ContentRanges(
            try db.all("SELECT start, end FROM range WHERE node = ? ORDER BY start", id) {
                row throws(SQLiteError) in
                let (start, end): (Int64, Int64) = (try row[0], try row[1])
                return start..<max(start, end)
            })
    }
}

// Contents that come in parts. A part is noted once its bytes are in the file: what a crash leaves is never
// zeros where nothing was fetched.
extension ReplicaTransaction {
    /// Takes an empty file for the parts of a content of which nothing is here yet.
    /// - Returns: false when the node has another content by now, or has bytes already.
    package func beginParts(
        of id: NodeID, content: EntryContent, in file: Int64
    ) throws -> Bool {
        guard let before = try reader.node(id), before.residence == .dataless,
            before.trees.local?.content == content, !content.isEdit
        else { return false }
        var node = before
        node.file = file
        node.residence = .partial
        node.opened = now
        try save(node, before: before)
        return true
    }

    /// The file is not there any more.
    package func loseParts(of id: NodeID, in file: Int64) throws {
        try update(id) { node in
            guard node.file == file, node.residence == .partial else { return }
            node.file = nil
            node.residence = .dataless
        }
    }

    /// The file of a content that is said to be here is not there.
    /// - Returns: false when the provider does not have it either.
    package func loseContent(of id: NodeID, in file: Int64) throws -> Bool {
        guard let before = try reader.node(id), before.file == file else { return true }
        guard before.trees.local?.content.isEdit == false, before.trees.remote != nil else {
            return false
        }
        var node = before
        node.letGoOfContent()
        try save(node, before: before)
        return true
    }

    /// - Parameter program: who waited for them; nil for nobody.
    /// - Returns: false when the parts are not wanted any more: the node has another content by now.
    package func addParts(
        _ parts: [Range<Int64>], to file: Int64, of id: NodeID, by program: String? = nil
    ) throws -> Bool {
        guard let before = try reader.node(id), before.file == file, before.residence == .partial
        else { return false }
        var ranges = try reader.ranges(of: id)
        let known = ranges
        for part in parts { ranges.add(part.clamped(to: 0..<before.size)) }
        try noteVolatile(file)
        try noteHydration(of: id, bytes: ranges.count - known.count, by: program)
        if ranges.contains(0..<before.size) {
            var node = before
            node.residence = .whole
            node.basis = nil
            node.isWanted = false
            node.opened = now
            try save(node, before: before)
            return true
        }
        try update(id) { node in
            node.here = ranges.count
            node.opened = now
        }
        for old in known.ranges where !ranges.ranges.contains(old) {
            try db.run("DELETE FROM range WHERE node = ? AND start = ?", id, old.lowerBound)
        }
        for new in ranges.ranges where !known.ranges.contains(new) {
            try db.run(
                "INSERT OR REPLACE INTO range (node, start, end) VALUES (?, ?, ?)", id,
                new.lowerBound, new.upperBound)
        }
        return true
    }

    /// The provider gave a part of another version than the one asked for, which it has no more: that is what
    /// the node holds from now on, as long as nothing of it is here.
    /// - Returns: false when something is, or when the provider has told of another version meanwhile, and nobody knows
    ///   which of the two is the newer.
    package func turn(_ id: NodeID, from asked: EntryContent, to item: RemoteItem) throws -> Bool {
        guard let before = try reader.node(id), before.identifier == item.identifier,
            let local = before.trees.local, local.content == asked,
            before.trees.synced?.content == asked, before.residence != .whole,
            before.trees.remote.map({ [asked, item.content].contains($0.content) }) != false,
            try reader.ranges(of: id).ranges.isEmpty
        else { return false }
        var node = before
        // Another part of the old version may be being written into the file just now.
        node.file = nil
        node.residence = .dataless
        node.trees.local?.content = item.content
        node.trees.synced?.content = item.content
        if before.trees.remote?.content == asked {
            node.trees.remote?.content = item.content
            node.remoteSize = item.size
        }
        node.size = item.size
        try save(node, before: before)
        return true
    }
}
