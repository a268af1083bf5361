import BasketModels
import BasketSupport

@testable import BasketStore

// The rules of contents and their versions.
extension StoreModel {
    /// The serial of the conflict that the content was kept as, if it was.
    mutating func replaceContent(
        _ id: ItemID, _ content: StagedContent, base: Sighting?, keeps: Bool, by who: Identity,
        _ d: Int
    ) throws -> Int? {
        try replace(id, content, seen: base?.serial, keeps: keeps, modified: nil, by: who, d)
    }

    mutating func replace(
        _ id: ItemID, _ content: StagedContent, seen: Int?, keeps: Bool, modified: Timestamp?,
        by who: Identity, _ d: Int
    ) throws -> Int? {
        try require(.writer, who, d)
        var item = try item(id, d)
        guard item.kind == .file else { throw StoreError.notAFile(id) }
        if item.current.content?.hash == content.hash {
            if let modified, modified != item.current.modified {
                item.current.modified = modified
                item.ticks[.modified] = tick
                save(item, d)
            }
            return nil
        }
        let isOwn = item.current.device == who.device && item.current.base == seen
        guard seen == nil || seen == item.current.serial || isOwn else {
            guard keeps else { throw StoreError.staleContent(id) }
            if let kept = item.conflicts.first(where: { $0.content?.hash == content.hash }) {
                return kept.serial
            }
            var conflict = newContent(content, base: seen, by: who, modified: modified ?? now)
            conflict.superseded = now
            item.conflicts.append(conflict)
            save(item, d)
            try makeRoom(content.size, d)
            return conflict.serial
        }
        let new = newContent(content, base: seen, by: who, modified: modified ?? now)
        setCurrent(new, of: &item)
        save(item, d)
        try makeRoom(content.size, d)
        return nil
    }

    private func setCurrent(_ content: ModelContent, of item: inout ModelItem) {
        if item.current.content != nil {
            item.current.superseded = now
            item.earlier.append(item.current)
        }
        item.current = content
        item.thumbnail = nil
        item.ticks[.modified] = tick
    }

    mutating func restoreVersion(
        _ serial: Int, of id: ItemID, base: Sighting?, by who: Identity, _ d: Int
    ) throws {
        try require(.writer, who, d)
        var item = try item(id, d)
        guard item.kind == .file else { throw StoreError.notAFile(id) }
        if let base, base.serial != item.current.serial { throw StoreError.staleContent(id) }
        if item.current.serial == serial, item.current.content != nil { return }
        guard let wanted = (item.earlier + item.conflicts).first(where: { $0.serial == serial })
        else { throw StoreError.noSuchVersion("") }
        if item.conflicts.contains(where: { $0.serial == serial }) {
            item.conflicts.removeAll { $0.serial == serial }
            var settled = wanted
            settled.superseded = now
            item.earlier.append(settled)
        }
        makeCurrent(wanted, of: &item, by: who)
        save(item, d)
        try makeRoom(wanted.size, d)
    }

    private mutating func makeCurrent(
        _ wanted: ModelContent, of item: inout ModelItem, by who: Identity
    ) {
        let content = newContent(
            wanted.content, base: item.current.serial, by: who, modified: wanted.modified)
        setCurrent(content, of: &item)
    }

    /// - Parameter minted: the identifiers of the items that are made of versions kept beside it.
    mutating func resolve(
        _ id: ItemID, keep: [Int], base: Sighting, minted: [ItemID],
        names: (ModelContent) -> String,
        by who: Identity, _ d: Int
    ) throws -> Int {
        try require(.writer, who, d)
        var item = try item(id, d)
        guard item.kind == .file else { throw StoreError.notAFile(id) }
        guard base.serial == item.current.serial else { throw StoreError.staleContent(id) }
        guard !keep.isEmpty else { throw StoreError.nothingKept }
        let all =
            (item.current.content == nil ? [] : [item.current]) + item.earlier + item.conflicts
        var kept: [ModelContent] = []
        for serial in keep where !kept.contains(where: { $0.serial == serial }) {
            guard let version = all.first(where: { $0.serial == serial }) else {
                throw StoreError.noSuchVersion("")
            }
            kept.append(version)
        }
        if !item.conflicts.isEmpty {
            for var conflict in item.conflicts {
                conflict.superseded = now
                item.earlier.append(conflict)
            }
            item.conflicts = []
            save(item, d)
        }
        var beside = kept.filter { $0.serial != item.current.serial }
        if beside.count == kept.count {
            makeCurrent(beside[0], of: &item, by: who)
            save(item, d)
            try makeRoom(beside[0].size, d)
            beside.removeFirst()
        }
        let folder = item.parent == domains[d].trash ? domains[d].root : item.parent
        for (index, version) in beside.enumerated() {
            var metadata = MetadataChange()
            metadata.created = .set(item.created)
            metadata.modified = .set(version.modified)
            metadata.mode = .set(item.mode)
            let made = try create(
                ItemCreation(
                    parent: folder ?? id, name: names(version), kind: .file, metadata: metadata,
                    content: version.content, ifExists: .rename), base: nil,
                minted: index < minted.count ? minted[index] : ItemID(rawValue: -1), by: who, d)
            domains[d].items[made]?.ticks[.modified] = tick
        }
        return beside.count
    }

    mutating func setThumbnail(
        _ id: ItemID, size: Int64, base: Sighting?, by who: Identity, _ d: Int
    ) throws {
        try require(.writer, who, d)
        var item = try item(id, d)
        guard item.kind == .file else { throw StoreError.notAFile(id) }
        if let base, base.serial != item.current.serial { throw StoreError.staleContent(id) }
        item.thumbnail = size
        save(item, d)
        try makeRoom(size, d)
    }
}
