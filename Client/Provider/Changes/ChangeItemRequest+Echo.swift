import BasketModels
import BasketSupport

extension ChangeItemRequest {
    /// What the server has not applied of this change though nobody else stands in its way: there is what an
    /// unheard change of one's own has put there.
    /// - Returns: that part, over the item as it is now; nil when there is none.
    func rest(after unheard: [ChangeItemRequest], now item: ItemInfo) -> ChangeItemRequest? {
        var rest = ChangeItemRequest()
        rest.base = item.metadataVersion
        if isElsewhere(item), unheard.contains(where: { $0.saysPlace && !$0.isElsewhere(item) }) {
            rest.name = name
            rest.parent = parent
        }
        func carry<Value: Equatable>(
            _ path: WritableKeyPath<MetadataChange, FieldChange<Value>>, _ current: Value?
        ) {
            let wanted = metadata[keyPath: path]
            guard !wanted.isKeep, wanted.value != current,
                unheard.contains(where: {
                    let earlier = $0.metadata[keyPath: path]
                    return !earlier.isKeep && earlier.value == current
                })
            else { return }
            rest.metadata[keyPath: path] = wanted
        }
        carry(\.created, item.created)
        carry(\.modified, item.modified)
        carry(\.lastUsed, item.lastUsed)
        carry(\.mode, item.mode)
        carry(\.flags, item.flags)
        carry(\.favoriteRank, item.favoriteRank)
        carry(\.tags, item.tags)
        carry(\.target, item.target)
        for (name, value) in metadata.xattrs where item.xattrs[name] != value {
            if unheard.contains(where: { $0.metadata.xattrs[name] == .some(item.xattrs[name]) }) {
                rest.metadata.xattrs.updateValue(value, forKey: name)
            }
        }
        return rest.saysPlace || !rest.metadata.isEmpty ? rest : nil
    }

    private var saysPlace: Bool { name != nil || parent != nil }

    /// Whether the item is not where this change wants it. By their bytes: Swift takes both Unicode forms of
    /// a name for the same.
    private func isElsewhere(_ item: ItemInfo) -> Bool {
        let isRenamed = name.map { !$0.hasSameBytes(as: item.name) } ?? false
        return isRenamed || parent != nil && parent != item.parent
    }
}
