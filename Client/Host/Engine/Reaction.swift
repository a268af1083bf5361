import FileProvider
import FileProviderReplica
import Foundation

/// What an extension's error makes the system do.
enum Reaction: Sendable, Equatable {
    /// Tried again later, a little later each time.
    case retry
    /// Left alone until somebody says that it is resolved, and looked at now and then.
    case awaitResolution
    /// Another item has the name: this one, if the provider says which.
    case collision(NSFileProviderItemIdentifier?)
    /// The item does not exist, or its parent, depending on the call.
    case missing(NSFileProviderItemIdentifier?)
    case deletionRejected
    /// Somebody else has changed it, and the extension leaves it to the system to keep both.
    case conflicting
    case excluded
    case anchorExpired
    /// The extension has no such thing.
    case unsupported
    case cancelled

    var isMissing: Bool {
        if case .missing = self { true } else { false }
    }

    /// Whether something else may be answered, though this was not.
    func isOfOneAlone(_ error: any Error) -> Bool {
        switch self {
        case .awaitResolution: !Outage.isOne(error)
        case .cancelled, .anchorExpired, .missing: false
        default:
            switch error as? HostError {
            case .disconnected, .timedOut: false
            default: true
            }
        }
    }

    init(_ error: any Error) {
        if error is CancellationError {
            self = .cancelled
            return
        }
        let stored = error as NSError
        if stored.domain == NSCocoaErrorDomain,
            stored.code == CocoaError.Code.userCancelled.rawValue
        {
            self = .cancelled
            return
        }
        if stored.domain == NSCocoaErrorDomain,
            stored.code == CocoaError.Code.featureUnsupported.rawValue
        {
            self = .unsupported
            return
        }
        guard let known = NSFileProviderError(bridging: error) else {
            self = .retry
            return
        }
        switch known.code {
        case .notAuthenticated, .serverUnreachable, .insufficientQuota, .cannotSynchronize:
            self = .awaitResolution
        case .filenameCollision:
            let item =
                stored.userInfo[NSFileProviderErrorItemKey]
                as? any NSFileProviderItemProtocol
            self = .collision(item?.itemIdentifier)
        case .noSuchItem:
            let name = stored.userInfo[NSFileProviderErrorNonExistentItemIdentifierKey] as? String
            self = .missing(name.map(NSFileProviderItemIdentifier.init(rawValue:)))
        case .deletionRejected, .directoryNotEmpty: self = .deletionRejected
        case .localVersionConflictingWithServer: self = .conflicting
        case .excludedFromSync: self = .excluded
        case .syncAnchorExpired: self = .anchorExpired
        default: self = .retry
        }
    }
}
