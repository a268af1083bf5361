import BasketDatabase
import BasketModels
import BasketSupport

extension Transaction {
    /// Gives a file another content. The earlier one becomes a version. Nil when the content is the
    /// current one now, else the conflict version that it was kept as.
    ///
    /// - Parameters:
    ///   - present: the version that was there when the content began to come, where that is known.
    ///   - sent: when the device sent it, by its own clock; nil where it does not say so.
    package func replaceContent(
        of id: ItemID, with content: StagedContent, condition: ContentCondition,
        over present: Version? = nil, modified: Timestamp? = nil, sent: Timestamp? = nil,
        in domain: Domain
    ) throws -> Version? {
        try domain.require(.writer)
        let item = try db.item(id, in: domain)
        guard item.kind == .file else { throw StoreError.notAFile(id) }
        // The same bytes are never a conflict.
        if item.hash == content.hash {
            if let modified, modified != item.modified {
                try touch(item, modified: modified, in: domain)
            }
            return nil
        }
        guard try isCurrent(condition, for: item, over: present, modified: modified, sent: sent)
        else {
            guard case .baseOrKeep(let base) = condition else { throw StoreError.staleContent(id) }
            return try keepConflict(
                content, of: item, base: base, modified: modified, in: domain)
        }
        // Retained before the old one is released: they may share chunks.
        let row = try retain(content, in: domain)
        try supersede(item, in: domain)
        try setContent(
            of: item, row: row, content, base: condition.base, modified: modified ?? now,
            sent: sent, in: domain)
        try makeRoom(for: content.size, in: domain)
        return nil
    }

    /// A device never conflicts with itself: what it wrote over the same base is its own. But what it had sent before
    /// that, and what took longer on its way, is the older one.
    private func isCurrent(
        _ condition: ContentCondition, for item: StoredItem, over present: Version?,
        modified: Timestamp?, sent: Timestamp?
    ) throws -> Bool {
        guard let base = condition.base else { return true }
        if base == item.contentVersion { return true }
        guard let identity, db.isOwnEcho(of: base, item, identity) else { return false }
        if let sent, let other = try sentDate(of: item.id) { return sent > other }
        // Where it does not say in which order, the one that began to come later is newer, and the one with a later date.
        if let present, present != item.contentVersion { return false }
        return modified.map { $0 >= item.modified } ?? true
    }

    private func sentDate(of id: ItemID) throws -> Timestamp? {
        try db.value("SELECT sent FROM item WHERE id = ?", id) ?? nil
    }

    /// The current content becomes an earlier version; what has no content leaves none.
    func supersede(_ item: StoredItem, in domain: Domain) throws {
        guard let content = item.content, let hash = item.hash else { return }
        try db.run(
            """
            INSERT INTO version (id, item, domain, conflict, content, hash, size, base, author,
                device, stored, modified, superseded)
            VALUES (?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, item.contentVersion, item.id, domain.id, content, hash, item.size, item.base,
            item.author,
            item.device, item.stored, item.modified, now)
        try account(domain, used: -item.size, history: item.size)
    }

    /// Writes the item's row for a content that was retained for it.
    func setContent(
        of item: StoredItem, row: Int64, _ content: StagedContent, base: Version?,
        modified: Timestamp, sent: Timestamp? = nil, in domain: Domain
    ) throws {
        let version = Version(rawValue: newNumber())
        var stamps = item.stamps ?? FieldStamps(all: Version(rawValue: item.id.rawValue))
        stamps[.modified] = version
        try dropThumbnail(of: item.id, in: domain)
        try db.run(
            """
            UPDATE item SET content = ?, hash = ?, size = ?, base = ?, author = ?, device = ?,
                stored = ?, modified = ?, sent = ?, content_version = ?, metadata_version = ?,
                rank = ?, stamps = ? WHERE id = ?
            """, row, content.hash, content.size, base, identity?.account, identity?.device, now,
            modified, sent, version, version, rank(in: domain), stamps.bytes, item.id)
        try account(domain, used: content.size)
    }

    private func touch(_ item: StoredItem, modified: Timestamp, in domain: Domain) throws {
        var metadata = MetadataChange()
        metadata.modified = .set(modified)
        _ = try modify(item.id, ItemChange(metadata: metadata), in: domain)
    }

    private func keepConflict(
        _ content: StagedContent, of item: StoredItem, base: Version, modified: Timestamp?,
        in domain: Domain
    ) throws -> Version {
        // Sent twice, or by two devices with the same result: kept once.
        let kept = try db.value(
            "SELECT id FROM version WHERE item = ? AND conflict = 1 AND hash = ?", item.id,
            content.hash, of: Version.self)
        if let kept { return kept }
        let row = try retain(content, in: domain)
        let version = Version(rawValue: newNumber())
        try db.run(
            """
            INSERT INTO version (id, item, domain, conflict, content, hash, size, base, author,
                device, stored, modified, superseded)
            VALUES (?, ?, ?, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, version, item.id, domain.id, row, content.hash, content.size, base,
            identity?.account,
            identity?.device, now, modified ?? now, now)
        try db.run(
            "UPDATE item SET conflicts = conflicts + 1, metadata_version = ?, rank = ? WHERE id = ?",
            newNumber(), rank(in: domain), item.id)
        try account(domain, used: content.size)
        try makeRoom(for: content.size, in: domain)
        return version
    }
}

extension Connection {
    /// Whether the item's present content is what this same device wrote over that base before: then
    /// it is nobody else's work.
    package func isOwnEcho(of base: Version, _ item: StoredItem, _ identity: Identity) -> Bool {
        guard let device = identity.device else { return false }
        return item.device == device && item.base == base
    }
}
