import Foundation

/// Speaks to the system about a domain, or about all of them.
///
/// It can be used in the extension, in the program that brings it, and in that program's tools. Every method
/// with a completion handler has a twin with `async`; the handlers are called on any thread.
public final class NSFileProviderManager: NSObject, Sendable {
    private let domain: NSFileProviderDomain

    /// What is kept when a domain is removed.
    public enum DomainRemovalMode: Int, Sendable {
        /// Nothing.
        case removeAll = 0
        /// At least everything that the server has not got.
        case preserveDirtyUserData = 1
        /// Everything that was downloaded.
        case preserveDownloadedUserData = 2
    }

    /// How a domain is disconnected.
    public struct DisconnectionOptions: OptionSet, Hashable, Sendable {
        public let rawValue: UInt

        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// For a while, as for an update.
        public static let temporary = DisconnectionOptions(rawValue: 1 << 0)
    }

    /// Whether domains can be stored on a volume.
    public enum EligibilityResult: Hashable, Sendable {
        case eligible
        case ineligible(NSFileProviderVolumeUnsupportedReason)
    }

    /// A manager for a domain, whether or not somebody has added it: if nobody has, its calls fail with
    /// `providerDomainNotFound`.
    public init?(for domain: NSFileProviderDomain) {
        self.domain = domain
    }

    var identifier: NSFileProviderDomainIdentifier { domain.identifier }

    /// Whoever hosts the domain.
    var system: (any FileProviderSystem)? {
        domain.system ?? FileProviderSystems.system(of: domain.identifier)
    }

    /// Asks the system of the domain, or tells that there is none.
    func ask(
        _ done: @escaping FileProviderSystem.Done,
        _ call: (any FileProviderSystem, NSFileProviderDomainIdentifier) -> Void
    ) {
        guard let system else { return done(NSFileProviderError(.providerDomainNotFound)) }
        call(system, identifier)
    }

    /// Asks the system of the domain, or throws that there is none.
    func asked() throws -> any FileProviderSystem {
        guard let system else { throw NSFileProviderError(.providerDomainNotFound) }
        return system
    }

    /// Asks the system that answers for no domain in particular, or tells that there is none.
    static func ask(
        _ done: @escaping FileProviderSystem.Done, _ call: (any FileProviderSystem) -> Void
    ) {
        guard let system = FileProviderSystems.common else {
            return done(NSFileProviderError(.providerNotFound))
        }
        call(system)
    }
}
