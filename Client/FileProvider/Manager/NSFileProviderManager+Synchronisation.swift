import Foundation

extension NSFileProviderManager {
    /// Says that the identifiers below an item, and its own, are not valid any more: what is on the disk is offered to the extension again.
    public func reimportItems(
        below itemIdentifier: NSFileProviderItemIdentifier,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        ask(completionHandler) { system, domain in
            system.reimportItems(
                below: itemIdentifier, in: domain, completionHandler: completionHandler)
        }
    }

    /// Says that the identifiers below an item, and its own, are not valid any more: what is on the disk is offered to the extension again.
    public func reimportItems(below itemIdentifier: NSFileProviderItemIdentifier) async throws {
        try await Answer.success { reimportItems(below: itemIdentifier, completionHandler: $0) }
    }

    /// Makes the system send those fields of an item as if they had changed on the disk. Completes when the request is stored.
    public func requestModification(
        of fields: NSFileProviderItemFields,
        forItemWithIdentifier itemIdentifier: NSFileProviderItemIdentifier,
        options: NSFileProviderModifyItemOptions = [],
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        ask(completionHandler) { system, domain in
            system.requestModification(
                of: fields, of: itemIdentifier, options: options, in: domain,
                completionHandler: completionHandler)
        }
    }

    /// Makes the system send those fields of an item as if they had changed on the disk. Completes when the request is stored.
    public func requestModification(
        of fields: NSFileProviderItemFields,
        forItemWithIdentifier itemIdentifier: NSFileProviderItemIdentifier,
        options: NSFileProviderModifyItemOptions = []
    ) async throws {
        try await Answer.success {
            requestModification(
                of: fields, forItemWithIdentifier: itemIdentifier, options: options,
                completionHandler: $0)
        }
    }

    /// Completes when the extension has taken every change on the disk below an item.
    public func waitForChanges(
        below itemIdentifier: NSFileProviderItemIdentifier,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        ask(completionHandler) { system, domain in
            system.waitForChanges(
                below: itemIdentifier, in: domain, completionHandler: completionHandler)
        }
    }

    /// Completes when the extension has taken every change on the disk below an item.
    public func waitForChanges(below itemIdentifier: NSFileProviderItemIdentifier) async throws {
        try await Answer.success { waitForChanges(below: itemIdentifier, completionHandler: $0) }
    }

    /// Completes when disk and provider have caught up with each other. For tests.
    public func waitForStabilization(
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        ask(completionHandler) { system, domain in
            system.waitForStabilization(in: domain, completionHandler: completionHandler)
        }
    }

    /// Completes when disk and provider have caught up with each other. For tests.
    public func waitForStabilization() async throws {
        try await Answer.success { waitForStabilization(completionHandler: $0) }
    }

    /// Ends the synchronisation, and keeps the domain to be browsed. The person reads the reason.
    public func disconnect(
        reason localizedReason: String, options: DisconnectionOptions = [],
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        ask(completionHandler) { system, domain in
            system.disconnect(
                reason: localizedReason, options: options, in: domain,
                completionHandler: completionHandler)
        }
    }

    /// Ends the synchronisation, and keeps the domain to be browsed. The person reads the reason.
    public func disconnect(reason localizedReason: String, options: DisconnectionOptions = [])
        async throws
    {
        try await Answer.success {
            disconnect(reason: localizedReason, options: options, completionHandler: $0)
        }
    }

    /// Begins the synchronisation again.
    public func reconnect(
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        ask(completionHandler) { system, domain in
            system.reconnect(in: domain, completionHandler: completionHandler)
        }
    }

    /// Begins the synchronisation again.
    public func reconnect() async throws {
        try await Answer.success { reconnect(completionHandler: $0) }
    }
}
