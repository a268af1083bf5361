import FileProvider

/// A domain as the registry keeps it.
struct StoredDomain: Sendable, Equatable {
    var record: DomainRecord
    /// The name of its folder among those that people see.
    var place: String
    /// How far its removal has come, if it is being removed.
    var removal: DomainRemoval?
    /// From where a tree is being taken over. The domain is none before that is done.
    var arrival: String?

    var identifier: NSFileProviderDomainIdentifier { record.identifier }
}
