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
    /// How long the content is that is fetched, as far as the system knows; nil where it does not, and where no
    /// content is fetched. Apple's systems do not tell: what is short may be worth fetching together with others.
    public let contentLength: Int64?

    /// A request on nobody's behalf, for tests of extensions.
    public override convenience init() {
        self.init(isSystemRequest: false)
    }

    package init(
        isSystemRequest: Bool, isFileViewerRequest: Bool = false,
        requestingExecutable: URL? = nil, domainVersion: NSFileProviderDomainVersion? = nil,
        contentLength: Int64? = nil
    ) {
        self.isSystemRequest = isSystemRequest
        self.isFileViewerRequest = isFileViewerRequest
        self.requestingExecutable = requestingExecutable
        self.domainVersion = domainVersion
        self.contentLength = contentLength
    }
}
