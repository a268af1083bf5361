import Foundation

extension NSFileProviderManager {
    /// Adds a domain, or brings one up to date: its name and whatever of it can be set.
    public class func add(
        _ domain: NSFileProviderDomain,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        if let problem = domain.record.problem { return completionHandler(problem) }
        ask(completionHandler) { $0.add(domain, completionHandler: completionHandler) }
    }

    /// Adds a domain, or brings one up to date: its name and whatever of it can be set.
    public class func add(_ domain: NSFileProviderDomain) async throws {
        try await Answer.success { add(domain, completionHandler: $0) }
    }

    /// Removes a domain, and everything that was downloaded.
    public class func remove(
        _ domain: NSFileProviderDomain,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        remove(domain, mode: .removeAll) { _, error in completionHandler(error) }
    }

    /// Removes a domain, and everything that was downloaded.
    public class func remove(_ domain: NSFileProviderDomain) async throws {
        try await Answer.success { remove(domain, completionHandler: $0) }
    }

    /// Removes a domain, and tells where what was to be kept lies.
    public class func remove(
        _ domain: NSFileProviderDomain, mode: DomainRemovalMode,
        completionHandler: @escaping @Sendable (URL?, (any Error)?) -> Void
    ) {
        guard let system = FileProviderSystems.common else {
            return completionHandler(nil, NSFileProviderError(.providerNotFound))
        }
        system.remove(domain, mode: mode) { result in
            switch result {
            case .success(let url): completionHandler(url, nil)
            case .failure(let error): completionHandler(nil, error)
            }
        }
    }

    /// Removes a domain, and tells where what was to be kept lies.
    public class func remove(
        _ domain: NSFileProviderDomain, mode: DomainRemovalMode
    ) async throws -> URL? {
        try await Answer.result { (done: @escaping @Sendable (Result<URL?, any Error>) -> Void) in
            remove(domain, mode: mode) { url, error in
                done(error.map { .failure($0) } ?? .success(url))
            }
        }
    }

    /// Removes every domain of the provider.
    public class func removeAllDomains(
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        ask(completionHandler) { $0.removeAllDomains(completionHandler: completionHandler) }
    }

    /// Removes every domain of the provider.
    public class func removeAllDomains() async throws {
        try await Answer.success { removeAllDomains(completionHandler: $0) }
    }

    /// The domains of the provider. Notifications about domains are posted from then on.
    public class func getDomainsWithCompletionHandler(
        _ completionHandler: @escaping @Sendable ([NSFileProviderDomain], (any Error)?) -> Void
    ) {
        guard let system = FileProviderSystems.common else {
            return completionHandler([], NSFileProviderError(.providerNotFound))
        }
        system.domains { result in
            switch result {
            case .success(let domains): completionHandler(domains, nil)
            case .failure(let error): completionHandler([], error)
            }
        }
    }

    /// The domains of the provider. Notifications about domains are posted from then on.
    public class func domains() async throws -> [NSFileProviderDomain] {
        try await Answer.result { done in
            getDomainsWithCompletionHandler { domains, error in
                done(error.map { .failure($0) } ?? .success(domains))
            }
        }
    }

    /// Adds a domain with a tree that is already on the disk. The tree is moved away; its items are then
    /// offered to the extension.
    public class func `import`(
        _ domain: NSFileProviderDomain, fromDirectoryAt url: URL,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        if let problem = domain.record.problem { return completionHandler(problem) }
        ask(completionHandler) {
            $0.importDomain(domain, fromDirectoryAt: url, completionHandler: completionHandler)
        }
    }

    /// Adds a domain with a tree that is already on the disk. The tree is moved away; its items are then
    /// offered to the extension.
    public class func `import`(
        _ domain: NSFileProviderDomain, fromDirectoryAt url: URL
    ) async throws {
        try await Answer.success { `import`(domain, fromDirectoryAt: url, completionHandler: $0) }
    }

    /// Which item of which domain a file is. Fails with `CocoaError(.fileNoSuchFile)` for a file that is
    /// none, or that the provider has not named yet.
    public class func getIdentifierForUserVisibleFile(
        at url: URL,
        completionHandler:
            @escaping @Sendable (
                NSFileProviderItemIdentifier?, NSFileProviderDomainIdentifier?, (any Error)?
            ) -> Void
    ) {
        guard let system = FileProviderSystems.common else {
            return completionHandler(nil, nil, NSFileProviderError(.providerNotFound))
        }
        system.place(ofUserVisibleFileAt: url) { result in
            switch result {
            case .success(let place): completionHandler(place.item, place.domain, nil)
            case .failure(let error): completionHandler(nil, nil, error)
            }
        }
    }

    /// Which item of which domain a file is. Fails with `CocoaError(.fileNoSuchFile)` for a file that is
    /// none, or that the provider has not named yet.
    public class func identifierForUserVisibleFile(
        at url: URL
    ) async throws -> (NSFileProviderItemIdentifier, NSFileProviderDomainIdentifier) {
        let place = try await Answer.result { done in
            getIdentifierForUserVisibleFile(at: url) { item, domain, error in
                let place = item.flatMap { item in
                    domain.map { UserVisiblePlace(item: item, domain: $0) }
                }
                done(Result(place, error))
            }
        }
        return (place.item, place.domain)
    }

    /// Whether domains can be stored on the volume of that URL.
    public class func checkDomainsCanBeStoredOnVolume(at url: URL) throws -> EligibilityResult {
        guard let system = FileProviderSystems.common else {
            throw NSFileProviderError(.providerNotFound)
        }
        return try system.eligibility(ofVolumeAt: url)
    }
}
