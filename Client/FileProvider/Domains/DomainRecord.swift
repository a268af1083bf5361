import Foundation

/// Everything that a domain says, as a value.
package struct DomainRecord: Equatable, Sendable {
    package var identifier: NSFileProviderDomainIdentifier
    package var displayName: String
    package var isDisconnected = false
    package var userEnabled = true
    package var isHidden = false
    package var testingModes: NSFileProviderDomain.TestingModes = []
    package var backingStoreIdentity: Data?
    package var supportsSyncingTrash = true
    package var volumeUUID: UUID?
    package var volumeURL: URL?
    package var userInfo: DomainUserInfo?
    package var replicatedKnownFolders: NSFileProviderKnownFolders = []
    package var supportedKnownFolders: NSFileProviderKnownFolders = []
    package var supportsStringSearchRequest = false

    package init(identifier: NSFileProviderDomainIdentifier, displayName: String) {
        self.identifier = identifier
        self.displayName = displayName
    }

    /// Why the domain cannot be added, or nil: a name that would be a path, or information of a kind that
    /// nobody can store.
    package var problem: POSIXError? {
        let name = identifier.rawValue
        let isName = !name.isEmpty && !name.utf8.contains { $0 == 0 || $0 == 0x2F || $0 == 0x3A }
        return isName && userInfo?.isValid ?? true ? nil : POSIXError(.EINVAL)
    }
}
