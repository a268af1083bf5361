import BasketContent
import BasketDatabase
import BasketModels
import BasketSupport

extension Transaction {
    /// Makes an item; the identifier of the new one, or with `merge` of the one that was there.
    package func create(_ creation: ItemCreation, in domain: Domain) throws -> ItemID {
        try createOrMerge(creation, in: domain).id
    }

    /// Makes an item, or with `merge` changes the one that was there.
    package func createOrMerge(
        _ creation: ItemCreation, in domain: Domain
    ) throws -> ItemCreation.Result {
        try domain.require(.writer)
        let key = try creation.key.map { try creationKey($0, in: domain) }
        if let key, let id = try created(under: key, in: domain) {
            return ItemCreation.Result(id: id, isNew: false, refused: [])
        }
        let parent = creation.parent
        try db.requireFolder(parent, in: domain)
        guard parent != domain.trash else { throw StoreError.permanentItem("trash") }
        try checkName(creation.name, in: domain)
        try check(creation.metadata, kind: creation.kind, creating: true)
        guard creation.content == nil || creation.kind == .file else {
            throw StoreError.badField(field: "content", reason: "only a file has content")
        }
        var name = creation.name
        if let taken = try db.child(name, of: parent, in: domain) {
            switch creation.ifExists {
            case .fail: throw StoreError.nameTaken(taken.id)
            case .merge: return try merge(creation, into: taken, in: domain)
            case .rename: name = try freeName(for: name, in: parent, domain: domain)
            }
        }
        let id = ItemID(rawValue: newNumber())
        try insert(id, creation, name: name, in: domain)
        try setExtendedAttributes(
            creation.metadata.xattrs, of: id, stamp: Version(rawValue: id.rawValue), base: nil)
        try countChild(of: parent, 1)
        let size = creation.content?.size ?? 0
        try account(domain, used: size, items: 1)
        try makeRoom(for: size, in: domain)
        if let key { try remember(id, under: key) }
        return ItemCreation.Result(id: id, isNew: true, refused: [])
    }

    private func insert(
        _ id: ItemID, _ creation: ItemCreation, name: String, in domain: Domain
    ) throws {
        let metadata = creation.metadata
        let content = try creation.content.map { try retain($0, in: domain) }
        try db.run(
            """
            INSERT INTO item (
                id, domain, parent, name, key, kind, rank, content_version, metadata_version,
                content, hash, size, base, author, device, stored, target, created, modified, used,
                mode, flags, favorite, tags)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, id, domain.id, creation.parent, name, domain.caseRule.collisionKey(of: name),
            creation.kind, rank(in: domain), id.rawValue, id.rawValue, content,
            creation.content?.hash, creation.content?.size ?? 0, identity?.account,
            identity?.device, now, metadata.target.value, metadata.created.value ?? now,
            metadata.modified.value ?? now, metadata.lastUsed.value,
            (metadata.mode.value ?? .standard(for: creation.kind)).rawValue,
            metadata.flags.value ?? [], metadata.favoriteRank.value,
            metadata.tags.value.flatMap(tagText))
    }

    /// `merge`: a folder takes what is said of it; a file its new content, if the writer had seen
    /// the present one. Metadata merge field by field, as in any other change.
    private func merge(
        _ creation: ItemCreation, into existing: StoredItem, in domain: Domain
    ) throws -> ItemCreation.Result {
        guard existing.kind == creation.kind else { throw StoreError.nameTaken(existing.id) }
        switch existing.kind {
        case .folder: break
        case .symlink:
            guard
                creation.metadata.target.value.map({ Array($0.utf8) })
                    == existing.target.map({ Array($0.utf8) })
            else {
                throw StoreError.nameTaken(existing.id)
            }
        case .file:
            if let content = creation.content {
                guard content.hash == existing.hash || creation.base == existing.contentVersion
                else { throw StoreError.staleContent(existing.id) }
                _ = try replaceContent(
                    of: existing.id, with: content, condition: .base(existing.contentVersion),
                    modified: creation.metadata.modified.value, in: domain)
            }
        }
        var refused: [String] = []
        if !creation.metadata.isEmpty {
            var change = ItemChange(base: creation.base, metadata: creation.metadata)
            if creation.content != nil { change.metadata.modified = .keep }
            refused = try modify(existing.id, change, in: domain)
        }
        return ItemCreation.Result(id: existing.id, isNew: false, refused: refused)
    }

    // MARK: Parts that other changes share

    func checkName(_ name: String, in domain: Domain) throws(StoreError) {
        if let problem = domain.caseRule.problem(with: name) {
            throw .badName(field: "name", problem)
        }
    }

    /// The first bounced name that is free in the folder.
    func freeName(for name: String, in folder: ItemID, domain: Domain) throws -> String {
        if try db.child(name, of: folder, in: domain) == nil { return name }
        let bounced = BouncedName(name)
        func isTaken(_ index: Int) throws -> Bool {
            try db.child(bounced.candidate(index), of: folder, in: domain) != nil
        }
        for index in 0..<Self.walkedNames where try !isTaken(index) {
            return bounced.candidate(index)
        }
        // Doubling steps, then halving ones: a folder with a hundred thousand copies must not be
        // walked. `low` is taken, `high` is free.
        var low = Self.walkedNames - 1
        var high = low * 2
        while try isTaken(high) {
            low = high
            high *= 2
        }
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if try isTaken(middle) { low = middle } else { high = middle }
        }
        return bounced.candidate(high)
    }

    /// So many names are tried one by one, so that a gap among a few copies is filled.
    private static let walkedNames = 16

    func countChild(of parent: ItemID, _ difference: Int) throws {
        try db.run(
            "UPDATE item SET children = children + ? WHERE id = ?", difference, parent)
    }
}
