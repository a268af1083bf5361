import FileProvider

extension EntryAttributes {
    func fields(differingFrom other: EntryAttributes) -> NSFileProviderItemFields {
        var fields: NSFileProviderItemFields = []
        if created != other.created { fields.insert(.creationDate) }
        if modified != other.modified { fields.insert(.contentModificationDate) }
        if lastUsed != other.lastUsed { fields.insert(.lastUsedDate) }
        if flags != other.flags { fields.insert(.fileSystemFlags) }
        if favoriteRank != other.favoriteRank { fields.insert(.favoriteRank) }
        if tags != other.tags { fields.insert(.tagData) }
        if extended != other.extended { fields.insert(.extendedAttributes) }
        if typeAndCreator != other.typeAndCreator { fields.insert(.typeAndCreator) }
        return fields
    }

    mutating func take(_ fields: NSFileProviderItemFields, from other: EntryAttributes) {
        if fields.contains(.creationDate) { created = other.created }
        if fields.contains(.contentModificationDate) { modified = other.modified }
        if fields.contains(.lastUsedDate) { lastUsed = other.lastUsed }
        if fields.contains(.fileSystemFlags) { flags = other.flags }
        if fields.contains(.favoriteRank) { favoriteRank = other.favoriteRank }
        if fields.contains(.tagData) { tags = other.tags }
        if fields.contains(.extendedAttributes) { extended = other.extended }
        if fields.contains(.typeAndCreator) { typeAndCreator = other.typeAndCreator }
    }

    /// Extended attributes are many values in one field: what only the other side has changed since both agreed comes
    /// here, so that sending the field does not undo it.
    /// - Returns: false where that would be more than anybody is handed, and nothing came.
    mutating func joinExtended(_ other: EntryAttributes, since agreed: EntryAttributes) -> Bool {
        var joined = self
        for name in Set(other.extended.keys).union(agreed.extended.keys)
        where extended[name] == agreed.extended[name] {
            joined.extended[name] = other.extended[name]
        }
        guard joined.extended == extended || joined.hasRoom else { return false }
        self = joined
        return true
    }
}
