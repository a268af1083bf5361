import Foundation

extension NSFileProviderManager {
    /// How far all uploads, or all downloads, have come. Idle is one of one.
    public func globalProgress(for kind: Progress.FileOperationKind) -> Progress {
        guard let system else {
            let idle = Progress(totalUnitCount: 1)
            idle.completedUnitCount = 1
            idle.fileOperationKind = kind
            return idle
        }
        return system.globalProgress(for: kind, in: identifier)
    }

    /// Shows a transfer's progress on an item. Takes a `Progress` here, where Apple's takes the session task that has one.
    public func register(
        _ progress: Progress, forItemWithIdentifier itemIdentifier: NSFileProviderItemIdentifier,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        ask(completionHandler) { system, domain in
            system.register(
                progress, for: itemIdentifier, in: domain, completionHandler: completionHandler)
        }
    }

    /// Shows a transfer's progress on an item. Takes a `Progress` here, where Apple's takes the session task that has one.
    public func register(
        _ progress: Progress, forItemWithIdentifier itemIdentifier: NSFileProviderItemIdentifier
    ) async throws {
        try await Answer.success {
            register(progress, forItemWithIdentifier: itemIdentifier, completionHandler: $0)
        }
    }

    /// What is on the disk. The first page is empty data.
    public func enumeratorForMaterializedItems() -> any NSFileProviderEnumerator {
        system?.enumeratorForMaterializedItems(in: identifier) ?? NoSystemEnumerator()
    }

    /// What waits to be synchronised. The first page is empty data.
    public func enumeratorForPendingItems() -> any NSFileProviderPendingSetEnumerator {
        system?.enumeratorForPendingItems(in: identifier) ?? NoSystemEnumerator()
    }

    /// A service that the extension offers for an item; nil if it has none of that name.
    public func getService(
        named serviceName: NSFileProviderServiceName,
        for itemIdentifier: NSFileProviderItemIdentifier,
        completionHandler: @escaping @Sendable (NSFileProviderService?, (any Error)?) -> Void
    ) {
        guard let system else {
            return completionHandler(nil, NSFileProviderError(.providerDomainNotFound))
        }
        system.service(named: serviceName, for: itemIdentifier, in: identifier) { result in
            switch result {
            case .success(let service): completionHandler(service, nil)
            case .failure(let error): completionHandler(nil, error)
            }
        }
    }

    /// A service that the extension offers for an item; nil if it has none of that name.
    public func service(
        named serviceName: NSFileProviderServiceName,
        for itemIdentifier: NSFileProviderItemIdentifier
    ) async throws -> NSFileProviderService? {
        try await Answer.result {
            (done: @escaping @Sendable (Result<NSFileProviderService?, any Error>) -> Void) in
            getService(named: serviceName, for: itemIdentifier) { service, error in
                done(error.map { .failure($0) } ?? .success(service))
            }
        }
    }

    /// What the system would do next, once it knows of everything that has happened. The calling thread waits, and
    /// must not be one that tasks run on.
    public func listAvailableTestingOperations() throws -> [any NSFileProviderTestingOperation] {
        try asked().listAvailableTestingOperations(in: identifier)
    }

    /// Does it, and returns the errors of those operations that failed. The calling thread waits, as above.
    public func run(
        _ operations: [any NSFileProviderTestingOperation]
    ) throws -> [AnyHashable: any Error] {
        try asked().run(operations, in: identifier)
    }

    /// Asks the person to let folders of the domain stand for known folders.
    public func claimKnownFolders(
        _ knownFolders: NSFileProviderKnownFolderLocations, localizedReason: String,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        ask(completionHandler) { system, domain in
            system.claimKnownFolders(
                knownFolders, localizedReason: localizedReason, in: domain,
                completionHandler: completionHandler)
        }
    }

    /// Asks the person to let folders of the domain stand for known folders.
    public func claimKnownFolders(
        _ knownFolders: NSFileProviderKnownFolderLocations, localizedReason: String
    ) async throws {
        try await Answer.success {
            claimKnownFolders(knownFolders, localizedReason: localizedReason, completionHandler: $0)
        }
    }

    /// Ends the synchronisation of known folders.
    public func releaseKnownFolders(
        _ knownFolders: NSFileProviderKnownFolders, localizedReason: String,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        ask(completionHandler) { system, domain in
            system.releaseKnownFolders(
                knownFolders, localizedReason: localizedReason, in: domain,
                completionHandler: completionHandler)
        }
    }

    /// Ends the synchronisation of known folders.
    public func releaseKnownFolders(
        _ knownFolders: NSFileProviderKnownFolders, localizedReason: String
    ) async throws {
        try await Answer.success {
            releaseKnownFolders(
                knownFolders, localizedReason: localizedReason, completionHandler: $0)
        }
    }

    /// Asks for a report about what went wrong with an item.
    public func requestDiagnosticCollection(
        for itemIdentifier: NSFileProviderItemIdentifier, errorReason: any Error,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        ask(completionHandler) { system, domain in
            system.requestDiagnosticCollection(
                for: itemIdentifier, errorReason: errorReason, in: domain,
                completionHandler: completionHandler)
        }
    }

    /// Asks for a report about what went wrong with an item.
    public func requestDiagnosticCollection(
        for itemIdentifier: NSFileProviderItemIdentifier, errorReason: any Error
    ) async throws {
        try await Answer.success {
            requestDiagnosticCollection(
                for: itemIdentifier, errorReason: errorReason, completionHandler: $0)
        }
    }
}
