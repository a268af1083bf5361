import BasketModels

/// What a request changes of an item: its name, its place, its metadata.
package struct ItemChange: Sendable {
    /// The metadata version that the writer had seen; nil when it does not care.
    package var base: Version?
    package var name: String?
    package var parent: ItemID?
    package var metadata: MetadataChange
    package var ifExists: CollisionPolicy

    package init(
        base: Version? = nil, name: String? = nil, parent: ItemID? = nil,
        metadata: MetadataChange = MetadataChange(), ifExists: CollisionPolicy = .fail
    ) {
        self.base = base
        self.name = name
        self.parent = parent
        self.metadata = metadata
        self.ifExists = ifExists
    }
}
