import Foundation

extension NSFileProviderManager {
    /// Where a person sees the item. The provider only shows it, and never writes there.
    public func getUserVisibleURL(
        for itemIdentifier: NSFileProviderItemIdentifier,
        completionHandler: @escaping @Sendable (URL?, (any Error)?) -> Void
    ) {
        guard let system else {
            return completionHandler(nil, NSFileProviderError(.providerDomainNotFound))
        }
        system.userVisibleURL(for: itemIdentifier, in: identifier) { result in
            switch result {
            case .success(let url): completionHandler(url, nil)
            case .failure(let error): completionHandler(nil, error)
            }
        }
    }

    /// Where a person sees the item. The provider only shows it, and never writes there.
    public func getUserVisibleURL(
        for itemIdentifier: NSFileProviderItemIdentifier
    ) async throws -> URL {
        try await Answer.result { done in
            getUserVisibleURL(for: itemIdentifier) { done(Result($0, $1)) }
        }
    }

    /// A folder on the replica's volume, for files that are handed to the system.
    public func temporaryDirectoryURL() throws -> URL {
        try asked().temporaryDirectoryURL(in: identifier)
    }

    /// A folder for the provider's own state, which goes with the domain.
    public func stateDirectoryURL() throws -> URL {
        try asked().stateDirectoryURL(in: identifier)
    }

    /// Asks for an item's content, or a range of it, at the earliest convenient time; for a folder, for the list of its items. Completes when the request is taken.
    public func requestDownloadForItem(
        withIdentifier itemIdentifier: NSFileProviderItemIdentifier, requestedRange: NSRange? = nil,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        ask(completionHandler) { system, domain in
            system.requestDownload(
                of: itemIdentifier,
                range: requestedRange.flatMap { $0.location == NSNotFound ? nil : $0 }, in: domain,
                completionHandler: completionHandler)
        }
    }

    /// Asks for an item's content, or a range of it, at the earliest convenient time; for a folder, for the list of its items. Completes when the request is taken.
    public func requestDownloadForItem(
        withIdentifier itemIdentifier: NSFileProviderItemIdentifier, requestedRange: NSRange? = nil
    ) async throws {
        try await Answer.success {
            requestDownloadForItem(
                withIdentifier: itemIdentifier, requestedRange: requestedRange,
                completionHandler: $0)
        }
    }

    /// Makes an item dataless; for a folder, what is in it first, until an item cannot be.
    public func evictItem(
        identifier itemIdentifier: NSFileProviderItemIdentifier,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        ask(completionHandler) { system, domain in
            system.evict(itemIdentifier, in: domain, completionHandler: completionHandler)
        }
    }

    /// Makes an item dataless; for a folder, what is in it first, until an item cannot be.
    public func evictItem(identifier itemIdentifier: NSFileProviderItemIdentifier) async throws {
        try await Answer.success { evictItem(identifier: itemIdentifier, completionHandler: $0) }
    }
}
