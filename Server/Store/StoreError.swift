import BasketModels
import BasketSupport

/// Why the store refused. Each case carries what its reader needs to act on.
package enum StoreError: Error, Equatable, Sendable {
    // Who asks.
    case notSignedIn
    case forbidden(needs: String)
    case noSuchAccount(String)
    case accountExists(String)
    case noSuchDevice
    case lastAdministrator
    case accountOwnsDomains(String)

    // Domains.
    case noSuchDomain(String)
    case domainExists(String)
    case noSuchMember(String)
    case ownerStays

    // Items.
    case noSuchItem(String)
    case notAFolder(ItemID)
    case notAFile(ItemID)
    case nameTaken(ItemID)
    case badName(field: String, NameProblem)
    case badField(field: String, reason: String)
    case moveIntoItself(ItemID)
    case permanentItem(String)
    case folderNotEmpty(ItemID)
    case trashDisabled
    case trashNotEmpty
    case notInTrash(ItemID)
    case staleContent(ItemID)
    case staleMetadata(ItemID)
    case deletionRejected(ItemID)
    case noContent(ItemID)

    // Contents and versions.
    case noSuchVersion(String)
    case chunksMissing([String])
    /// What the request had relied on was collected while it came: sent again, it brings it along.
    case overtaken
    case hashMismatch(expected: String, actual: String)
    case insufficientQuota(needed: Int64, available: Int64)
    case nothingKept

    // The feed.
    case anchorExpired
    /// It is of what this server has not done, or does not know any more: it was put back to an earlier state.
    case anchorAhead
    case cursorExpired

    // Requests.
    case idempotencyKeyReused
}
