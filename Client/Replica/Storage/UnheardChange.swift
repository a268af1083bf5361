import FileProvider

/// What the provider was asked to change of an item, and has not said whether it has: it may have done so.
package struct UnheardChange: Sendable, Equatable {
    package let fields: NSFileProviderItemFields
    package let entry: Entry

    /// - Returns: nil where nothing can be recognised by what it says: of a content, the provider chooses the name, and
    ///   its date goes with it.
    package init?(_ fields: NSFileProviderItemFields, of entry: Entry) {
        let ofContent: NSFileProviderItemFields =
            fields.contains(.contents) ? [.contents, .contentModificationDate] : []
        let fields = fields.subtracting(ofContent)
        if fields.isEmpty { return nil }
        self.init(stored: fields, entry)
    }

    init(stored fields: NSFileProviderItemFields, _ entry: Entry) {
        self.fields = fields
        self.entry = entry
    }

    /// In what an entry says what was asked for.
    package func fields(echoedBy other: Entry) -> NSFileProviderItemFields {
        fields.subtracting(other.fields(differingFrom: entry))
    }
}
