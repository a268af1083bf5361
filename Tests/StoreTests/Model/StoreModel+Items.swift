import BasketModels
import BasketSupport

@testable import BasketStore

// The rules of items.
extension StoreModel {
    mutating func create(
        _ creation: ItemCreation, base: Sighting?, minted: ItemID, by who: Identity, _ d: Int
    ) throws -> ItemID {
        try require(.writer, who, d)
        let parent = try item(creation.parent, d)
        guard parent.kind == .folder else { throw StoreError.notAFolder(parent.id) }
        guard parent.id != domains[d].trash else { throw StoreError.permanentItem("trash") }
        try checkName(creation.name, d)
        var name = creation.name
        if let taken = domains[d].child(name, of: parent.id) {
            switch creation.ifExists {
            case .fail: throw StoreError.nameTaken(taken.id)
            case .merge: return try merge(creation, base, into: taken, by: who, d)
            case .rename: name = domains[d].freeName(name, in: parent.id)
            }
        }
        let metadata = creation.metadata
        let modified = metadata.modified.value ?? now
        let content = newContent(creation.content, base: nil, by: who, modified: modified)
        var made = ModelItem(
            id: minted, kind: creation.kind, parent: parent.id, name: name, current: content,
            created: metadata.created.value ?? now, used: metadata.lastUsed.value,
            mode: metadata.mode.value ?? .standard(for: creation.kind), madeAt: tick, rank: 0)
        made.flags = metadata.flags.value ?? []
        made.favorite = metadata.favoriteRank.value
        made.tags = metadata.tags.value ?? []
        made.target = metadata.target.value
        for (name, value) in metadata.xattrs { made.xattrs[name] = value.map { ($0.bytes, tick) } }
        save(made, d)
        try makeRoom(content.size, d)
        return minted
    }

    private mutating func merge(
        _ creation: ItemCreation, _ base: Sighting?, into there: ModelItem, by who: Identity,
        _ d: Int
    ) throws -> ItemID {
        guard there.kind == creation.kind,
            there.kind != .symlink || there.target == creation.metadata.target.value
        else { throw StoreError.nameTaken(there.id) }
        var metadata = creation.metadata
        var base = base
        if let content = creation.content {
            guard
                content.hash == there.current.content?.hash || base?.serial == there.current.serial
            else { throw StoreError.staleContent(there.id) }
            _ = try replace(
                there.id, content, seen: there.current.serial, keeps: false,
                modified: metadata.modified.value, by: who, d)
            metadata.modified = .keep
            // Of what was said after that content, the writer may not know.
            if let seen = base { base?.tick = seen.contentTick }
        }
        _ = try modify(there.id, ItemChange(metadata: metadata), base: base, by: who, d)
        return there.id
    }

    mutating func modify(
        _ id: ItemID, _ change: ItemChange, base: Sighting?, by who: Identity, _ d: Int
    ) throws -> [String] {
        try require(.writer, who, d)
        var item = try item(id, d)
        if id == domains[d].trash { throw StoreError.permanentItem("trash") }
        if item.parent == nil, change.name != nil || change.parent != nil {
            throw StoreError.permanentItem("root")
        }
        if item.kind != .symlink, !change.metadata.target.isKeep {
            throw StoreError.badField(field: "target", reason: "only a symlink has one")
        }
        var refused: [String] = []
        var touched = false
        func set<Value: Equatable>(
            _ field: FieldStamps.Field, _ name: String, _ path: WritableKeyPath<ModelItem, Value>,
            _ value: Value?
        ) {
            guard let value, item[keyPath: path] != value else { return }
            guard item.mayChange(field, base) else { return refused.append(name) }
            item[keyPath: path] = value
            item.ticks[field] = tick
            touched = true
        }
        let metadata = change.metadata
        set(.created, "created", \.created, metadata.created.value)
        set(.modified, "modified", \.current.modified, metadata.modified.value)
        set(.mode, "mode", \.mode, metadata.mode.value)
        set(.flags, "flags", \.flags, metadata.flags.isKeep ? nil : metadata.flags.value ?? [])
        set(.used, "lastUsed", \.used, metadata.lastUsed.asOptional)
        set(.favorite, "favoriteRank", \.favorite, metadata.favoriteRank.asOptional)
        set(.target, "target", \.target, metadata.target.asOptional)
        set(.tags, "tags", \.tags, metadata.tags.isKeep ? nil : metadata.tags.value ?? [])

        let isRenamed = change.name.map { Array($0.utf8) != Array(item.name.utf8) } ?? false
        let isMoved = change.parent != nil && change.parent != item.parent
        if isRenamed, let name = change.name { try checkName(name, d) }
        if isRenamed || isMoved {
            if item.mayChange(.place, base) {
                try move(
                    &item, to: change.parent ?? item.parent ?? id, name: change.name ?? item.name,
                    ifExists: change.ifExists, d)
                touched = true
            } else {
                if isRenamed { refused.append("name") }
                if isMoved { refused.append("parent") }
            }
        }
        for (name, value) in metadata.xattrs.sorted(by: { $0.key < $1.key }) {
            let present = item.xattrs[name]
            guard present?.value != value?.bytes else { continue }
            // What was set or removed since wins.
            let last = present?.tick ?? item.removedXattrs[name]
            if let base, let last, last > base.tick {
                refused.append("xattrs.\(name)")
                continue
            }
            item.xattrs[name] = value.map { ($0.bytes, tick) }
            item.removedXattrs[name] = value == nil ? tick : nil
            touched = true
        }
        if touched { save(item, d) }
        return refused
    }

    /// Only in the value given; the caller saves it.
    func move(
        _ item: inout ModelItem, to parent: ItemID, name: String, ifExists: CollisionPolicy,
        _ d: Int
    ) throws {
        guard let old = item.parent else {
            throw StoreError.permanentItem(item.id == domains[d].root ? "root" : "trash")
        }
        let folder = try self.item(parent, d)
        guard folder.kind == .folder else { throw StoreError.notAFolder(parent) }
        guard !domains[d].isInside(parent, item.id) else {
            throw StoreError.moveIntoItself(item.id)
        }
        let trash = domains[d].trash
        var name = name
        if parent != trash, let taken = domains[d].child(name, of: parent), taken.id != item.id {
            guard ifExists == .rename else { throw StoreError.nameTaken(taken.id) }
            name = domains[d].freeName(name, in: parent)
        }
        if parent != trash {
            item.trashed = nil
            item.trashedFrom = nil
        } else if old != trash {
            item.trashed = now
            item.trashedFrom = old
        }
        item.parent = parent
        item.name = name
        item.ticks[.place] = tick
    }

    mutating func delete(
        _ id: ItemID, base: Sighting?, recursive: Bool, by who: Identity, _ d: Int
    ) throws {
        try require(.writer, who, d)
        guard let item = domains[d].items[id], id != domains[d].trash || domains[d].hasTrash else {
            throw StoreError.noSuchItem(id.description)
        }
        guard item.isLive else { return }
        guard hasSeen(base, of: item, who) else { throw StoreError.deletionRejected(id) }
        let children = domains[d].children(id)
        guard children.isEmpty || recursive else { throw StoreError.folderNotEmpty(id) }
        if id == domains[d].root { throw StoreError.permanentItem("root") }
        if id == domains[d].trash {
            for child in children { bury(child.id, by: who, d) }
        } else {
            bury(id, by: who, d)
        }
    }

    private func hasSeen(_ base: Sighting?, of item: ModelItem, _ who: Identity) -> Bool {
        guard let base, item.kind == .file, item.current.serial != base.serial else { return true }
        return who.device != nil && item.current.device == who.device
            && item.current.base == base.serial
    }

    mutating func trash(_ id: ItemID, base: Sighting?, by who: Identity, _ d: Int) throws {
        try require(.writer, who, d)
        guard domains[d].hasTrash else { throw StoreError.trashDisabled }
        var item = try item(id, d)
        if item.parent == domains[d].trash { return }
        guard hasSeen(base, of: item, who) else { throw StoreError.staleContent(id) }
        try move(&item, to: domains[d].trash, name: item.name, ifExists: .rename, d)
        save(item, d)
    }

    mutating func restore(
        _ id: ItemID, to folder: ItemID?, name: String?, by who: Identity, _ d: Int
    ) throws {
        try require(.writer, who, d)
        var item = try item(id, d)
        guard item.parent == domains[d].trash else { throw StoreError.notInTrash(id) }
        if folder == domains[d].trash {
            throw StoreError.badField(field: "parent", reason: "the trash is where it lies")
        }
        if let name { try checkName(name, d) }
        var home = domains[d].root
        if let from = item.trashedFrom, let old = domains[d].items[from], old.isLive,
            !domains[d].isInside(from, domains[d].trash)
        {
            home = from
        }
        try move(&item, to: folder ?? home, name: name ?? item.name, ifExists: .rename, d)
        save(item, d)
    }

    mutating func undelete(
        since: Timestamp, device: Int64?, account: Int64?, by who: Identity, _ d: Int
    ) throws -> Int {
        try require(.writer, who, d)
        let found = domains[d].items.values.filter { item in
            guard let deleted = item.deleted, !item.isPurged else { return false }
            return deleted >= since && (device == nil || item.deletedWith == device)
                && (account == nil || item.deletedBy == account)
        }.sorted { ($0.deleted ?? since, $0.id) < ($1.deleted ?? since, $1.id) }.map(\.id)
        for id in found { revive(id, among: Set(found), d) }
        return found.count
    }

    private mutating func revive(_ id: ItemID, among found: Set<ItemID>, _ d: Int) {
        guard var item = domains[d].items[id], !item.isLive else { return }
        if let parent = item.parent, found.contains(parent) { revive(parent, among: found, d) }
        var home = domains[d].root
        if let parent = item.parent, domains[d].items[parent]?.isLive == true,
            parent != domains[d].trash || domains[d].hasTrash
        {
            home = parent
        }
        let isTrashed = home == domains[d].trash
        let name = isTrashed ? item.name : domains[d].freeName(item.name, in: home)
        if home != item.parent || name != item.name { item.ticks[.place] = tick }
        item.parent = home
        item.name = name
        item.trashed = isTrashed ? now : nil
        item.trashedFrom = isTrashed ? item.trashedFrom : nil
        item.deleted = nil
        item.deletedBy = nil
        item.deletedWith = nil
        save(item, d)
    }
}

extension FieldChange {
    /// Nil to keep, `.some(nil)` to clear.
    fileprivate var asOptional: Value?? {
        switch self {
        case .keep: nil
        case .clear: .some(nil)
        case .set(let value): value
        }
    }
}
