import BasketModels
import BasketSupport

/// An item's metadata while a change is applied to it: it knows which fields were touched, and
/// which the writer may not touch, because they are newer than what it had seen.
struct ItemDraft {
    let id: ItemID
    var created: Timestamp
    var modified: Timestamp
    var used: Timestamp?
    var mode: Int
    var flags: ItemFlags
    var favorite: Int64?
    var tags: String?
    var target: String?
    var touched: Set<FieldStamps.Field> = []
    private(set) var refused: [String] = []
    private let base: Version?
    private let stamps: FieldStamps

    init(_ item: StoredItem, base: Version?) {
        id = item.id
        created = item.created
        modified = item.modified
        used = item.used
        mode = item.mode
        flags = item.flags
        favorite = item.favorite
        tags = item.tags
        target = item.target
        self.base = base
        // Without stamps of their own, all fields are as old as the item.
        stamps = item.stamps ?? FieldStamps(all: Version(rawValue: item.id.rawValue))
    }

    /// Whether the field is as the writer had seen it, or the writer does not care.
    func mayChange(_ field: FieldStamps.Field) -> Bool {
        guard let base else { return true }
        return stamps[field] <= base
    }

    func stamps(changedBy version: Version) -> FieldStamps {
        var changed = stamps
        for field in touched { changed[field] = version }
        return changed
    }

    mutating func apply(
        _ change: MetadataChange, tagText: ([String]) -> String?
    ) throws(StoreError) {
        set(\.created, .created, "created", change.created)
        set(\.modified, .modified, "modified", change.modified)
        set(\.mode, .mode, "mode", change.mode.mapped(\.rawValue))
        set(\.flags, .flags, "flags", change.flags.isKeep ? .keep : .set(change.flags.value ?? []))
        setOptional(\.used, .used, "lastUsed", change.lastUsed)
        setOptional(\.favorite, .favorite, "favoriteRank", change.favoriteRank)
        setText(\.target, .target, "target", change.target)
        switch change.tags {
        case .keep: break
        case .clear: setText(\.tags, .tags, "tags", .clear)
        case .set(let tags):
            setText(\.tags, .tags, "tags", tagText(tags).map { .set($0) } ?? .clear)
        }
    }

    private mutating func set<Value: Equatable>(
        _ path: WritableKeyPath<ItemDraft, Value>, _ field: FieldStamps.Field, _ name: String,
        _ change: FieldChange<Value>
    ) {
        guard let value = change.value, self[keyPath: path] != value else { return }
        guard mayChange(field) else { return refused.append(name) }
        self[keyPath: path] = value
        touched.insert(field)
    }

    /// Text differs when its bytes do: Swift takes both Unicode forms of a letter for the same.
    private mutating func setText(
        _ path: WritableKeyPath<ItemDraft, String?>, _ field: FieldStamps.Field, _ name: String,
        _ change: FieldChange<String>
    ) {
        let bytes = self[keyPath: path].map { Array($0.utf8) }
        guard !change.isKeep, bytes != change.value.map({ Array($0.utf8) }) else { return }
        guard mayChange(field) else { return refused.append(name) }
        self[keyPath: path] = change.value
        touched.insert(field)
    }

    private mutating func setOptional<Value: Equatable>(
        _ path: WritableKeyPath<ItemDraft, Value?>, _ field: FieldStamps.Field, _ name: String,
        _ change: FieldChange<Value>
    ) {
        guard !change.isKeep, self[keyPath: path] != change.value else { return }
        guard mayChange(field) else { return refused.append(name) }
        self[keyPath: path] = change.value
        touched.insert(field)
    }
}

extension FieldChange {
    func mapped<Other: Sendable>(_ transform: (Value) -> Other) -> FieldChange<Other> {
        switch self {
        case .keep: .keep
        case .clear: .clear
        case .set(let value): .set(transform(value))
        }
    }
}
