import FileProvider

/// What one of the three trees says of a node.
package struct Entry: Hashable, Sendable {
    package var parent: NodeID
    package var name: String
    package let kind: NodeKind
    package var content: EntryContent
    package var attributes: EntryAttributes
    /// The name is a stand-in, because the wanted one is taken here. It is nobody's wish, and is never
    /// told to the provider. Only the local tree has such names.
    package var isBounced = false

    package init(
        parent: NodeID, name: String, kind: NodeKind, content: EntryContent,
        attributes: EntryAttributes = EntryAttributes()
    ) {
        self.parent = parent
        self.name = name
        self.kind = kind
        self.content = content
        self.attributes = attributes
    }

    /// In what this entry differs from another one of the same node.
    package func fields(differingFrom other: Entry) -> NSFileProviderItemFields {
        var fields: NSFileProviderItemFields = []
        if content != other.content { fields.insert(.contents) }
        if name != other.name, !isBounced, !other.isBounced { fields.insert(.filename) }
        if parent != other.parent { fields.insert(.parentItemIdentifier) }
        return fields.union(attributes.fields(differingFrom: other.attributes))
    }

    /// Takes over some of what another entry says.
    package mutating func take(_ fields: NSFileProviderItemFields, from other: Entry) {
        if fields.contains(.contents) { content = other.content }
        if fields.contains(.filename) {
            name = other.name
            isBounced = other.isBounced
        }
        if fields.contains(.parentItemIdentifier) { parent = other.parent }
        attributes.take(fields, from: other.attributes)
    }
}

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
}
