import BasketSupport
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

    /// Names are bytes: what Unicode takes for the same is not.
    package static func == (one: Entry, other: Entry) -> Bool {
        one.parent == other.parent && one.kind == other.kind && one.content == other.content
            && one.isBounced == other.isBounced && one.name.hasSameBytes(as: other.name)
            && one.attributes == other.attributes
    }

    /// Whether both say that it is in the same folder, under the same name.
    package func isAt(_ other: Entry) -> Bool {
        parent == other.parent && name.hasSameBytes(as: other.name)
    }

    /// In what this entry differs from another one of the same node.
    package func fields(differingFrom other: Entry) -> NSFileProviderItemFields {
        var fields: NSFileProviderItemFields = []
        if content != other.content { fields.insert(.contents) }
        if !name.hasSameBytes(as: other.name), !isBounced, !other.isBounced {
            fields.insert(.filename)
        }
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
