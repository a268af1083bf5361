import BasketContent
import BasketModels
import BasketSupport

@testable import BasketStore

// What somebody may think of doing.
extension ModelRun {
    func chance(_ percent: UInt64) -> Bool {
        random.next() % 100 < percent
    }

    func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int(random.next() % UInt64(elements.count))]
    }

    private static let names = [
        "a", "b", "A", "c.txt", "C.TXT", "a 2", "\u{e9}", "e\u{301}", "d.tar.gz", "",
    ]
    private static let texts = ["one", "two two", String(repeating: "three ", count: 20)]
    private static let contents: [StagedContent] =
        texts.map(StagedContent.init(text:)) + [chunked(["x", "yy"]), chunked(["yy", "zzz"])]

    /// A large content would be like this: of chunks, some of which others have too.
    private static func chunked(_ parts: [String]) -> StagedContent {
        let whole = Array(parts.joined().utf8)
        let chunks = parts.map { part in
            StagedChunk(
                hash: ContentHash(of: Array(part.utf8)), length: part.utf8.count,
                place: BlobPlace(blob: 1, position: Int64(part.utf8.count)))
        }
        return StagedContent(
            hash: ContentHash(of: whole), size: Int64(whole.count), chunks: chunks, proof: .read)
    }

    func anyItem(_ d: Int, live: Bool, kind: ItemKind? = nil) -> ModelItem? {
        // The root is where most things begin, but nothing much can be done to it.
        let isSpared = kind != .folder && !chance(5)
        let items = model.domains[d].items.values.filter {
            (!live || $0.isLive) && (kind == nil || $0.kind == kind)
                && !(isSpared && $0.parent == nil && $0.isLive)
        }
        return items.isEmpty ? nil : pick(items.sorted { $0.id < $1.id })
    }

    /// Mostly an item that is there; sometimes a dead one, another domain's, or none at all.
    private func anyID(_ d: Int, kind: ItemKind? = nil) -> ItemID {
        if chance(2) { return ItemID(rawValue: 77) }
        if kind == .folder, chance(25) { return model.domains[d].root }
        let domain = chance(3) ? 1 - d : d
        return anyItem(domain, live: !chance(4), kind: chance(92) ? kind : nil)?.id
            ?? model.domains[d].root
    }

    /// What the writer had seen of the item: nothing, the present state, or an older one.
    private func base(_ id: ItemID, _ d: Int) -> Sighting? {
        if chance(30) { return nil }
        let old = sightings.filter { $0.d == d && $0.id == id }
        if !old.isEmpty, chance(60) { return pick(old).sighting }
        guard let item = model.domains[d].items[id], item.isLive else {
            return sightings.isEmpty ? nil : pick(sightings).sighting
        }
        return try? sight(item)  // It is there: the model and the store were just compared.
    }

    private func metadata(creating kind: ItemKind?) -> MetadataChange {
        var change = MetadataChange()
        func some<Value>(_ values: [Value]) -> FieldChange<Value> {
            chance(20) ? .set(pick(values)) : .keep
        }
        func clearable<Value>(_ values: [Value]) -> FieldChange<Value> {
            chance(5) ? .clear : some(values)
        }
        change.created = some([Timestamp(seconds: 1), Timestamp(seconds: 2)])
        change.modified = some([Timestamp(seconds: 3), Timestamp(seconds: 4)])
        change.mode = some([.file, .folder, .symlink])
        change.flags = clearable([.hidden, [.hidden, .package]])
        change.lastUsed = clearable([Timestamp(seconds: 5), Timestamp(seconds: 6)])
        change.favoriteRank = clearable([1, 2])
        change.tags = clearable([["red"], ["red", "blue"], []])
        for name in ["user.x", "user.y"] where chance(15) {
            change.xattrs[name] = .some(chance(30) ? nil : Base64Bytes(pick([[1], [2, 3], []])))
        }
        if kind == .symlink || chance(4) { change.target = .set(pick(["there", "elsewhere"])) }
        return change
    }

    func draw(_ d: Int, by who: Identity) -> ModelOperation {
        switch random.next() % 100 {
        case 0..<30: return drawCreation(d)
        case 30..<50: return drawChange(d)
        case 50..<68:
            let id = anyID(d, kind: .file)
            return .replace(id, pick(Self.contents), base(id, d), keeps: chance(60))
        case 68..<73:
            let id = anyID(d)
            return .delete(id, base(id, d), recursive: chance(70))
        case 73..<79:
            let id = anyID(d)
            return .trash(id, base(id, d))
        case 79..<85:
            let trashed = model.domains[d].children(model.domains[d].trash)
                .sorted { $0.id < $1.id }
            let id = trashed.isEmpty || chance(10) ? anyID(d) : pick(trashed).id
            return .restore(
                id, to: chance(25) ? anyID(d, kind: .folder) : nil,
                name: chance(20) ? pick(Self.names) : nil)
        case 85..<89:
            return .undelete(
                since: fixture.clock.now - .seconds(Int64(random.next() % 100)),
                device: chance(50) ? pick(people).device : nil,
                account: chance(30) ? pick(people).account : nil)
        case 89..<94: return drawResolution(d)
        default:
            let id = anyID(d, kind: .file)
            return .thumbnail(id, size: 1 + Int(random.next() % 30), base(id, d))
        }
    }

    private func drawCreation(_ d: Int) -> ModelOperation {
        let kind: ItemKind = pick([.file, .file, .folder, .folder, .symlink])
        let creation = ItemCreation(
            parent: anyID(d, kind: .folder), name: pick(Self.names), kind: kind,
            metadata: metadata(creating: kind),
            content: kind == .file && chance(80) ? pick(Self.contents) : nil,
            ifExists: pick(CollisionPolicy.allCases))
        let there = model.domains[d].child(creation.name, of: creation.parent)
        var valid = creation
        // Its rules for targets are tested by themselves.
        if kind != .symlink { valid.metadata.target = .keep }
        return .create(valid, there.flatMap { base($0.id, d) })
    }

    private func drawChange(_ d: Int) -> ModelOperation {
        let id = anyID(d)
        let change = ItemChange(
            name: chance(40) ? pick(Self.names) : nil,
            parent: chance(40) ? anyID(d, kind: .folder) : nil, metadata: metadata(creating: nil),
            ifExists: pick(CollisionPolicy.allCases))
        return .modify(id, change, base(id, d))
    }

    /// About items that have more than one content, where there are any.
    private func drawResolution(_ d: Int) -> ModelOperation {
        let rich = model.domains[d].items.values
            .filter { $0.isLive && !($0.earlier + $0.conflicts).isEmpty }.sorted { $0.id < $1.id }
        guard !rich.isEmpty, !chance(5) else {
            return .restore(anyID(d), to: nil, name: nil)
        }
        let item = pick(rich)
        var all: [NumberedVersion] = []
        for content in item.earlier + item.conflicts + [item.current] {
            if let version = versions[content.serial] {
                all.append(NumberedVersion(version: version, serial: content.serial))
            }
        }
        let kept = (0..<Int(random.next() % 4)).map { _ in pick(all) }
        if chance(50) { return .restoreVersion(pick(all), of: item.id, base(item.id, d)) }
        guard let base = base(item.id, d) else { return .restoreVersion(all[0], of: item.id, nil) }
        return .resolve(item.id, keep: kept, base)
    }
}
