import BasketModels
import FileProvider

extension BasketExtension: NSFileProviderDomainState {
    package var domainVersion: NSFileProviderDomainVersion {
        NSFileProviderDomainVersion(stored: session?.device.version ?? 0)
            ?? NSFileProviderDomainVersion()
    }

    /// What rules may ask about the domain.
    package var userInfo: [AnyHashable: Any] {
        guard let facts = session?.knownFacts else { return [:] }
        return [
            "name": facts.name, "role": facts.role.rawValue, "mayWrite": facts.mayWrite,
            "trash": facts.hasTrash, "shared": facts.isShared,
        ]
    }
}
