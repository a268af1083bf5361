import BasketContent
import BasketDatabase
import BasketModels
import BasketSupport

extension Transaction {
    /// So many versions can be kept at once, each as an item.
    package static let mostKept = 100

    /// Makes an earlier or conflicting content the current one; what was current becomes an
    /// earlier version. A conflict version that is restored is no conflict any more.
    package func restoreVersion(
        _ version: Version, of id: ItemID, base: Version?, in domain: Domain
    ) throws {
        try domain.require(.writer)
        let item = try db.item(id, in: domain)
        guard item.kind == .file else { throw StoreError.notAFile(id) }
        if let base, base != item.contentVersion { throw StoreError.staleContent(id) }
        let wanted = try db.version(version, of: item)
        if wanted.standing == .current { return }
        try retain(content: wanted.content)
        if wanted.standing == .conflict {
            try settleConflicts(of: item, only: wanted.version, in: domain)
        }
        try makeCurrent(wanted, of: item, in: domain)
    }

    /// Ends a conflict: the versions kept stay as they are (the current one), or become items of
    /// their own beside it; when the current one is not kept, the first kept one takes its place.
    /// What is not kept becomes an earlier version, so that even a wrong choice can be undone. The
    /// new items' identifiers.
    package func resolveConflicts(
        of id: ItemID, keep: [Version], base: Version, in domain: Domain
    ) throws -> [ItemID] {
        try domain.require(.writer)
        let item = try db.item(id, in: domain)
        guard item.kind == .file else { throw StoreError.notAFile(id) }
        guard base == item.contentVersion else { throw StoreError.staleContent(id) }
        guard !keep.isEmpty else { throw StoreError.nothingKept }
        guard keep.count <= Self.mostKept else {
            throw StoreError.badField(field: "keep", reason: "up to \(Self.mostKept) versions")
        }
        var kept: [ItemVersion] = []
        for version in keep where !kept.contains(where: { $0.version == version }) {
            kept.append(try db.version(version, of: item))
        }
        var beside = kept.filter { $0.standing != .current }
        // Held from here on: making room for one of them may let the others go, as history.
        for version in beside { try retain(content: version.content) }
        try settleConflicts(of: item, in: domain)
        if beside.count == kept.count {
            let first = beside.removeFirst()
            try makeCurrent(first, of: try db.item(id, in: domain), in: domain)
        }
        return try beside.map { try makeItem(of: $0, beside: item, in: domain) }
    }

    /// Conflict versions become earlier ones: they are history now, and count as that.
    ///
    /// - Parameter version: the one that is meant; nil for all of the item.
    private func settleConflicts(
        of item: StoredItem, only version: Version? = nil, in domain: Domain
    ) throws {
        let settled = try db.first(
            """
            SELECT count(*), coalesce(sum(size), 0) FROM version
            WHERE item = ?1 AND conflict = 1 AND (?2 IS NULL OR id = ?2)
            """, item.id, version
        ) { row throws(SQLiteError) in (count: row.integer(0), bytes: row.integer(1)) }
        guard let settled, settled.count > 0 else { return }
        try db.run(
            """
            UPDATE version SET conflict = 0, superseded = ?3
            WHERE item = ?1 AND conflict = 1 AND (?2 IS NULL OR id = ?2)
            """, item.id, version, now)
        try db.run(
            """
            UPDATE item SET conflicts = conflicts - ?, metadata_version = ?, rank = ? WHERE id = ?
            """, settled.count, newNumber(), rank(in: domain), item.id)
        try account(domain, used: -settled.bytes, history: settled.bytes)
    }

    /// Takes over a reference to the version's content.
    private func makeCurrent(
        _ version: ItemVersion, of item: StoredItem, in domain: Domain
    ) throws {
        try supersede(item, in: domain)
        let staged = StagedContent(
            hash: version.hash, size: version.size, chunks: [], proof: .known)
        try setContent(
            of: item, row: version.content, staged, base: item.contentVersion,
            modified: version.modified, in: domain)
        // Only now: making room lets history go, and this version may be a part of it.
        try makeRoom(for: version.size, in: domain)
    }

    /// A kept version as a file of its own, named after where it came from. Takes over a reference
    /// to the version's content.
    private func makeItem(
        of version: ItemVersion, beside item: StoredItem, in domain: Domain
    ) throws -> ItemID {
        guard let parent = item.parent else { throw StoreError.permanentItem("root") }
        let origin = version.deviceName ?? version.authorName ?? "another device"
        let day = version.stored.rfc3339.prefix(10)
        let name = ConflictName(item.name, origin: origin, day: String(day), rule: domain.caseRule)
        var metadata = MetadataChange()
        metadata.modified = .set(version.modified)
        metadata.created = .set(item.created)
        metadata.mode = FileMode(rawValue: item.mode).map { .set($0) } ?? .keep
        // A conflict in the trash is resolved into the root: nothing is made in the trash.
        let folder = parent == domain.trash ? domain.root : parent
        let created = try create(
            ItemCreation(
                parent: folder, name: name.text, kind: .file, metadata: metadata, ifExists: .rename),
            in: domain)
        let staged = StagedContent(
            hash: version.hash, size: version.size, chunks: [], proof: .known)
        try setContent(
            of: try db.item(created, in: domain), row: version.content, staged, base: nil,
            modified: version.modified, in: domain)
        try makeRoom(for: version.size, in: domain)
        return created
    }
}
