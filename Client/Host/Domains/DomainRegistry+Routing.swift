import FileProvider
import Foundation

// What concerns one domain is for whoever hosts that.
extension DomainRegistry {
    /// - Throws: why nobody answers for the domain.
    func system(
        of domain: NSFileProviderDomainIdentifier
    ) throws -> any FileProviderSystem {
        guard try settled(domain).record.userEnabled else {
            throw NSFileProviderError(.domainDisabled)
        }
        guard let system = hosting.system(of: domain) else {
            throw NSFileProviderError(.providerDomainTemporarilyUnavailable)
        }
        return system
    }

    func pass(
        _ domain: NSFileProviderDomainIdentifier, _ done: @escaping Done,
        _ call: (any FileProviderSystem) -> Void
    ) {
        do {
            call(try system(of: domain))
        } catch {
            done(error)
        }
    }

    /// What is not as it was after that is told to those who asked for the domains.
    private func telling(_ done: @escaping Done) -> Done {
        { [weak self] error in
            if error == nil { self?.tell() }
            done(error)
        }
    }

    package func signalEnumerator(
        for container: NSFileProviderItemIdentifier, in domain: NSFileProviderDomainIdentifier,
        completionHandler: @escaping Done
    ) {
        pass(domain, completionHandler) {
            $0.signalEnumerator(for: container, in: domain, completionHandler: completionHandler)
        }
    }

    package func signalErrorResolved(
        _ error: any Error, in domain: NSFileProviderDomainIdentifier,
        completionHandler: @escaping Done
    ) {
        pass(domain, completionHandler) {
            $0.signalErrorResolved(error, in: domain, completionHandler: completionHandler)
        }
    }

    package func userVisibleURL(
        for item: NSFileProviderItemIdentifier, in domain: NSFileProviderDomainIdentifier,
        completionHandler: @escaping @Sendable (Result<URL, any Error>) -> Void
    ) {
        do {
            try system(of: domain)
                .userVisibleURL(for: item, in: domain, completionHandler: completionHandler)
        } catch {
            completionHandler(.failure(error))
        }
    }

    package func temporaryDirectoryURL(in domain: NSFileProviderDomainIdentifier) throws -> URL {
        try system(of: domain).temporaryDirectoryURL(in: domain)
    }

    package func stateDirectoryURL(in domain: NSFileProviderDomainIdentifier) throws -> URL {
        try system(of: domain).stateDirectoryURL(in: domain)
    }

    package func requestDownload(
        of item: NSFileProviderItemIdentifier, range: NSRange?,
        in domain: NSFileProviderDomainIdentifier, completionHandler: @escaping Done
    ) {
        pass(domain, completionHandler) {
            $0.requestDownload(
                of: item, range: range, in: domain, completionHandler: completionHandler)
        }
    }

    package func evict(
        _ item: NSFileProviderItemIdentifier, in domain: NSFileProviderDomainIdentifier,
        completionHandler: @escaping Done
    ) {
        pass(domain, completionHandler) {
            $0.evict(item, in: domain, completionHandler: completionHandler)
        }
    }

    /// Of the root, it gives the domain another backing store.
    package func reimportItems(
        below item: NSFileProviderItemIdentifier, in domain: NSFileProviderDomainIdentifier,
        completionHandler: @escaping Done
    ) {
        pass(domain, completionHandler) {
            $0.reimportItems(
                below: item, in: domain, completionHandler: telling(completionHandler))
        }
    }

    package func requestModification(
        of fields: NSFileProviderItemFields, of item: NSFileProviderItemIdentifier,
        options: NSFileProviderModifyItemOptions, in domain: NSFileProviderDomainIdentifier,
        completionHandler: @escaping Done
    ) {
        pass(domain, completionHandler) {
            $0.requestModification(
                of: fields, of: item, options: options, in: domain,
                completionHandler: completionHandler)
        }
    }

    package func waitForChanges(
        below item: NSFileProviderItemIdentifier, in domain: NSFileProviderDomainIdentifier,
        completionHandler: @escaping Done
    ) {
        pass(domain, completionHandler) {
            $0.waitForChanges(below: item, in: domain, completionHandler: completionHandler)
        }
    }

    package func waitForStabilization(
        in domain: NSFileProviderDomainIdentifier, completionHandler: @escaping Done
    ) {
        pass(domain, completionHandler) {
            $0.waitForStabilization(in: domain, completionHandler: completionHandler)
        }
    }

    package func disconnect(
        reason: String, options: NSFileProviderManager.DisconnectionOptions,
        in domain: NSFileProviderDomainIdentifier, completionHandler: @escaping Done
    ) {
        pass(domain, completionHandler) {
            $0.disconnect(
                reason: reason, options: options, in: domain,
                completionHandler: telling(completionHandler))
        }
    }

    package func reconnect(
        in domain: NSFileProviderDomainIdentifier, completionHandler: @escaping Done
    ) {
        pass(domain, completionHandler) {
            $0.reconnect(in: domain, completionHandler: telling(completionHandler))
        }
    }
}
