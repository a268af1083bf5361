import BasketModels

/// A new item, as a request asks for it.
package struct ItemCreation: Sendable {
    package var parent: ItemID
    package var name: String
    package var kind: ItemKind
    package var metadata: MetadataChange
    package var content: StagedContent?
    package var ifExists: CollisionPolicy
    /// Names the creation: what was made under this name is not made again.
    package var key: String?
    /// With `merge`: what the writer had seen of what is there, its content version when there is a
    /// content to merge, else its metadata version.
    package var base: Version?

    package init(
        parent: ItemID, name: String, kind: ItemKind, metadata: MetadataChange = MetadataChange(),
        content: StagedContent? = nil, ifExists: CollisionPolicy = .fail, key: String? = nil,
        base: Version? = nil
    ) {
        self.parent = parent
        self.name = name
        self.kind = kind
        self.metadata = metadata
        self.content = content
        self.ifExists = ifExists
        self.key = key
        self.base = base
    }

    /// What became of it.
    package struct Result: Sendable, Equatable {
        package let id: ItemID
        /// False when an item of that name was there, and was merged with, or when this creation was done
        /// before.
        package let isNew: Bool
        /// The fields that somebody else changed, and that stayed as they are.
        package let refused: [String]
    }
}
