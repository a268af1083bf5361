import Foundation

/// The domain of the errors of this module.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let NSFileProviderErrorDomain = "NSFileProviderErrorDomain"

/// In `userInfo`: the item of a collision or a rejected deletion, or the identifier of the item for which a
/// barrier failed.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let NSFileProviderErrorItemKey = "NSFileProviderErrorItem"

/// In `userInfo`: the identifier of the item that does not exist.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let NSFileProviderErrorNonExistentItemIdentifierKey =
    "NSFileProviderErrorNonExistentItemIdentifier"

/// What an extension and the system tell each other when something does not work.
public struct NSFileProviderError: _BridgedStoredNSError, Hashable {
    public let _nsError: NSError

    public init(_nsError error: NSError) {
        precondition(
            error.domain == NSFileProviderErrorDomain, "only errors of this domain are bridged")
        _nsError = error
    }

    public static var _nsErrorDomain: String { NSFileProviderErrorDomain }

    /// What an error means. Negative, as on Apple's systems.
    public enum Code: Int, _ErrorCodeProtocol, Sendable, CaseIterable {
        public typealias _ErrorType = NSFileProviderError

        /// The server does not accept who asks. Stops work until it is signalled as resolved.
        case notAuthenticated = -1000
        /// Another item has that name in that folder, or one that differs only in case.
        case filenameCollision = -1001
        /// The anchor is too old: everything is to be enumerated again.
        case syncAnchorExpired = -1002
        /// There is no room on the server. Stops work until it is signalled as resolved.
        case insufficientQuota = -1003
        /// The server does not answer. Stops work until it is signalled as resolved.
        case serverUnreachable = -1004
        /// There is no such item, or no such parent. Leads to deletion on the disk.
        case noSuchItem = -1005
        /// The deletion is refused; the system makes the item again.
        case deletionRejected = -1006
        /// A folder that is not empty is not deleted without its items; the system makes it again.
        case directoryNotEmpty = -1007
        /// The program has no provider.
        case providerNotFound = -2001
        /// The program was moved by the system and may not provide.
        case providerTranslocated = -2002
        /// An older version of the provider runs.
        case olderExtensionVersionRunning = -2003
        /// A newer version of the provider is there.
        case newerExtensionVersionFound = -2004
        /// A barrier failed; or, from a provider, an item that cannot be synchronised at all.
        case cannotSynchronize = -2005
        /// The eviction of a folder met items that cannot be evicted.
        case nonEvictableChildren = -2006
        /// The item has edits that have not been uploaded.
        case unsyncedEdits = -2007
        /// The item cannot be evicted.
        case nonEvictable = -2008
        /// The version that was asked for is gone for good.
        case versionNoLongerAvailable = -2009
        /// The item is not to be synchronised.
        case excludedFromSync = -2010
        /// The person has switched the domain off.
        case domainDisabled = -2011
        /// The system cannot serve the domain just now.
        case providerDomainTemporarilyUnavailable = -2012
        /// Nobody has added a domain of that name.
        case providerDomainNotFound = -2013
        /// The program contains no extension that could be started.
        case applicationExtensionNotFound = -2014
        /// The base version is not the server's, and the call was to fail then.
        case localVersionConflictingWithServer = -2015

        /// A page is too old. The same code as `syncAnchorExpired`.
        public static var pageExpired: Code { .syncAnchorExpired }
    }
}

extension NSFileProviderError {
    public static var notAuthenticated: Code { .notAuthenticated }
    public static var filenameCollision: Code { .filenameCollision }
    public static var syncAnchorExpired: Code { .syncAnchorExpired }
    public static var pageExpired: Code { .pageExpired }
    public static var insufficientQuota: Code { .insufficientQuota }
    public static var serverUnreachable: Code { .serverUnreachable }
    public static var noSuchItem: Code { .noSuchItem }
    public static var deletionRejected: Code { .deletionRejected }
    public static var directoryNotEmpty: Code { .directoryNotEmpty }
    public static var providerNotFound: Code { .providerNotFound }
    public static var providerTranslocated: Code { .providerTranslocated }
    public static var olderExtensionVersionRunning: Code { .olderExtensionVersionRunning }
    public static var newerExtensionVersionFound: Code { .newerExtensionVersionFound }
    public static var cannotSynchronize: Code { .cannotSynchronize }
    public static var nonEvictableChildren: Code { .nonEvictableChildren }
    public static var unsyncedEdits: Code { .unsyncedEdits }
    public static var nonEvictable: Code { .nonEvictable }
    public static var versionNoLongerAvailable: Code { .versionNoLongerAvailable }
    public static var excludedFromSync: Code { .excludedFromSync }
    public static var domainDisabled: Code { .domainDisabled }
    public static var providerDomainTemporarilyUnavailable: Code {
        .providerDomainTemporarilyUnavailable
    }
    public static var providerDomainNotFound: Code { .providerDomainNotFound }
    public static var applicationExtensionNotFound: Code { .applicationExtensionNotFound }
    public static var localVersionConflictingWithServer: Code {
        .localVersionConflictingWithServer
    }
}

extension NSFileProviderError {
    /// The error as one of this module, also when it comes as an `NSError` of the domain, which Swift casts
    /// on Apple's systems alone. Nil for other errors, and for codes that this module does not know.
    public init?(bridging error: any Error) {
        let stored = (error as? NSFileProviderError)?._nsError ?? error as NSError
        guard stored.domain == NSFileProviderErrorDomain, Code(rawValue: stored.code) != nil else {
            return nil
        }
        self.init(_nsError: stored)
    }
}

extension NSFileProviderError.Code {
    /// What `catch NSFileProviderError.noSuchItem` asks: also true for an `NSError` of the domain.
    public static func ~= (code: NSFileProviderError.Code, error: any Error) -> Bool {
        NSFileProviderError(bridging: error)?.code == code
    }
}
