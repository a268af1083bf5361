import BasketModels

/// A new item, as a request asks for it.
package struct ItemCreation: Sendable {
    package var parent: ItemID
    package var name: String
    package var kind: ItemKind
    package var metadata: MetadataChange
    package var content: StagedContent?
    package var ifExists: CollisionPolicy
    /// With `merge`: the content version that the writer had seen of the file that is there.
    package var base: Version?

    package init(
        parent: ItemID, name: String, kind: ItemKind, metadata: MetadataChange = MetadataChange(),
        content: StagedContent? = nil, ifExists: CollisionPolicy = .fail, base: Version? = nil
    ) {
        self.parent = parent
        self.name = name
        self.kind = kind
        self.metadata = metadata
        self.content = content
        self.ifExists = ifExists
        self.base = base
    }
}
