import FileProvider

/// A domain as the registry keeps it.
struct StoredDomain: Sendable, Equatable {
    var record: DomainRecord
    /// The name of its folder among those that people see.
    var place: String
    /// How far its removal has come, if it is being removed.
    var removal: DomainRemoval?

    var identifier: NSFileProviderDomainIdentifier { record.identifier }
}
