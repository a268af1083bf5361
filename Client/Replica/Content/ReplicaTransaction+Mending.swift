import BasketDatabase
import BasketSupport
import FileProvider

extension ReplicaTransaction {
    /// - Parameters:
    ///   - left: what is left of it; nil where the crash took its name as well.
    ///   - former: what was there before it, if that is whole.
    func mend(_ file: Int64, _ left: Remains?, _ former: Predecessor?) throws {
        let based: [NodeID] = try db.all("SELECT id FROM node WHERE basis = ?", file) {
            row throws(SQLiteError) in try row[0]
        }
        for id in based { try update(id) { $0.basis = nil } }
        if let holder = try reader.node(file: file) {
            try mend(holder, file, left, former)
        } else if let bytes = try reader.rescued(file) {
            try mend(rescued: bytes, left, former)
        }
        // With that goes what was there before.
        try db.run("DELETE FROM volatile WHERE file = ?", file)
    }

    /// Nobody can look at what is left of it. It does not take the place of what the provider has, and is handed to nobody
    /// before it is known how long it is. What was there before it keeps its note, and is looked at with it.
    func mend(unreadable file: Int64) throws {
        try db.run("UPDATE volatile SET isUnseen = 1 WHERE file = ?", file)
        guard let before = try reader.node(file: file), let local = before.trees.local,
            local.kind == .file
        else { return }
        if before.canBeFetchedAgain { return try mend(file, nil, nil) }
        guard before.trees.synced != nil, before.trees.remote != nil else {
            return try noteWriting(of: before.id, in: file)
        }
        // Its file goes on as another one's.
        try takeBack(before.with { $0.file = nil })
        let beside = try keep(file, size: before.size, beside: local)
        let isBegun = try reader.isBegun(before.id)
        try forgetWriting(of: before.id)
        try noteWriting(of: beside, in: file, isBegun: isBegun)
        try touch(before.id)
    }

    private func mend(
        _ before: StoredNode, _ file: Int64, _ left: Remains?, _ former: Predecessor?
    ) throws {
        guard let local = before.trees.local else {
            return try mend(removed: before, isWhole: left?.isWhole(ofSize: before.size) ?? false)
        }
        var node = before
        if before.canBeFetchedAgain {
            // What has been fetched can be fetched again.
            node.residence = .dataless
            node.file = nil
            return try save(node, before: before)
        }
        let size = left?.size ?? 0
        // Who had begun to write it anew may not have come far: what was there before is here still, or at the provider.
        let isElsewhere =
            former != nil || before.trees.remote != nil && before.remoteSize > 0
        let isBegun = try isElsewhere && reader.isBegun(before.id)
        let isWhole = left?.isWhole(ofSize: before.size) ?? false
        guard !isWhole || isBegun else {
            guard size < before.size else { return }
            // It was cut off after it was made safe, and that is what there is.
            node.size = size
            return try save(node, before: before)
        }
        // What was handed over since then, the provider may have: that is newer.
        let mayBeThere = before.isUnanswered || before.trees.remote != nil
        if let former, !mayBeThere || !before.isFrozen && !former.isPassed {
            try goBack(to: former, before)
            if size > 0 { try keep(file, size: size, beside: local) }
        } else {
            try mend(before, file, size: size, isThere: left != nil, local)
            if let former { try keep(former, beside: local) }
        }
        // Nobody goes on with it, and what waited for that is looked at again.
        try forgetWriting(of: before.id)
        try touch(before.id)
    }

    private func mend(
        _ before: StoredNode, _ file: Int64, size: Int64, isThere: Bool, _ local: Entry
    ) throws {
        guard before.trees.synced != nil, before.trees.remote != nil else {
            if before.isUnanswered { return try doubt(before, file, size: size, local) }
            // There never was anything else: what is left of it is all that there is.
            var node = before
            node.size = size
            if !isThere { node.file = nil }
            return try save(node, before: before)
        }
        try takeBack(before)
        if size > 0 { try keep(file, size: size, beside: local) }
    }

    /// What the provider has is under the name again.
    private func takeBack(_ before: StoredNode) throws {
        guard let synced = before.trees.synced, let remote = before.trees.remote else { return }
        var node = before
        // Who wrote had seen what was there before, perhaps. That is nowhere here.
        node.trees.local?.content = remote.content
        node.trees.synced?.content = remote.content
        node.trees.local?.attributes.modified = synced.attributes.modified
        node.size = before.remoteSize
        node.file = nil
        node.isFrozen = false
        node.residence = .dataless
        try save(node, before: before)
    }

    /// It has gone, and the provider may have been asked to make it before that: which item this was is asked for once
    /// more, and not with anything else than what was there.
    func mend(removed before: StoredNode, isWhole: Bool) throws {
        guard !isWhole else { return }
        var node = before
        node.letGoOfContent()
        if before.isUnanswered, before.trees.remote == nil {
            node.trees.synced?.content = .handedOver
            try save(node, before: before)
            try db.run("INSERT OR IGNORE INTO offered (node) VALUES (?)", node.id)
        } else {
            try save(node, before: before)
        }
        try touch(node.id)
    }

    /// The provider was asked to make it, and may have all of it: what is left here must not be taken for a change
    /// of that. It is looked for there by its name, as something whose content is not here.
    private func doubt(
        _ before: StoredNode, _ file: Int64, size: Int64, _ local: Entry
    ) throws {
        var node = before
        node.trees.local?.content = .handedOver
        node.file = nil
        node.isFrozen = false
        node.residence = .dataless
        try save(node, before: before)
        try db.run("INSERT OR IGNORE INTO offered (node) VALUES (?)", node.id)
        guard size > 0 else { return }
        try keep(file, size: size, beside: local)
    }

    private func keep(_ former: Predecessor, beside local: Entry) throws {
        try takeOut(former)
        let day = String(now.rfc3339.prefix(10))
        let wanted = ConflictName(local.name, recoveredOn: day, rule: rule).text
        try keep(former.file, size: former.size, beside: local, as: wanted, isFrozen: true)
    }

    @discardableResult
    private func keep(_ file: Int64, size: Int64, beside local: Entry) throws -> NodeID {
        try keep(file, size: size, beside: local, as: damagedName(of: local.name))
    }

    func damagedName(of name: String) -> String {
        ConflictName(name, damagedOn: String(now.rfc3339.prefix(10)), rule: rule).text
    }

    /// Some bytes become a new file.
    /// - Parameter isFrozen: whether they were handed over.
    @discardableResult
    func keep(
        _ file: Int64, size: Int64, beside local: Entry, as wanted: String, isFrozen: Bool = false
    ) throws -> NodeID {
        let name = try reader.freeName(like: wanted, in: local.parent)
        var entry = Entry(
            parent: local.parent, name: name, kind: .file, content: .edit(try nextEdit()),
            attributes: local.attributes)
        entry.attributes.modified = now
        var node = try makeNode(NodeTrees(local: entry))
        node.file = file
        node.size = size
        node.residence = .whole
        node.isFrozen = isFrozen
        try insert(node)
        try db.run("DELETE FROM discarded WHERE file = ?", file)
        try endPreceding(file)
        return node.id
    }
}
