import Foundation

/// On whose behalf the system calls.
public final class NSFileProviderRequest: NSObject, Sendable {
    /// The synchronisation itself asks. Says something for enumerators and fetches alone.
    public let isSystemRequest: Bool
    /// A file browser asks. Says something for enumerators and fetches alone.
    public let isFileViewerRequest: Bool
    /// The program that asks, where the system is set up to tell.
    public let requestingExecutable: URL?
    /// The domain's version when the system saw what it now reports; nil for extensions without
    /// `NSFileProviderDomainState`.
    public let domainVersion: NSFileProviderDomainVersion?

    /// A request on nobody's behalf, for tests of extensions.
    public override convenience init() {
        self.init(isSystemRequest: false)
    }

    package init(
        isSystemRequest: Bool, isFileViewerRequest: Bool = false,
        requestingExecutable: URL? = nil, domainVersion: NSFileProviderDomainVersion? = nil
    ) {
        self.isSystemRequest = isSystemRequest
        self.isFileViewerRequest = isFileViewerRequest
        self.requestingExecutable = requestingExecutable
        self.domainVersion = domainVersion
    }
}
