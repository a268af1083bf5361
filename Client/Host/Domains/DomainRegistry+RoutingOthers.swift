import FileProvider
import FileProviderReplica
import Foundation

// What else concerns one domain, and is rarely asked for.
extension DomainRegistry {
    package func globalProgress(
        for kind: Progress.FileOperationKind, in domain: NSFileProviderDomainIdentifier
    ) -> Progress {
        (try? system(of: domain))?.globalProgress(for: kind, in: domain)
            ?? GlobalProgress(kind).progress
    }

    package func enumeratorForMaterializedItems(
        in domain: NSFileProviderDomainIdentifier
    ) -> any NSFileProviderEnumerator {
        (try? system(of: domain))?.enumeratorForMaterializedItems(in: domain)
            ?? ItemSetEnumerator(.materialised, of: nil)
    }

    package func enumeratorForPendingItems(
        in domain: NSFileProviderDomainIdentifier
    ) -> any NSFileProviderPendingSetEnumerator {
        (try? system(of: domain))?.enumeratorForPendingItems(in: domain)
            ?? ItemSetEnumerator(.pending, of: nil)
    }

    package func service(
        named name: NSFileProviderServiceName, for item: NSFileProviderItemIdentifier,
        in domain: NSFileProviderDomainIdentifier,
        completionHandler: @escaping @Sendable (Result<NSFileProviderService?, any Error>) -> Void
    ) {
        do {
            try system(of: domain).service(
                named: name, for: item, in: domain, completionHandler: completionHandler)
        } catch {
            completionHandler(.failure(error))
        }
    }

    package func listAvailableTestingOperations(
        in domain: NSFileProviderDomainIdentifier
    ) throws -> [any NSFileProviderTestingOperation] {
        try system(of: domain).listAvailableTestingOperations(in: domain)
    }

    package func run(
        _ operations: [any NSFileProviderTestingOperation],
        in domain: NSFileProviderDomainIdentifier
    ) throws -> [AnyHashable: any Error] {
        try system(of: domain).run(operations, in: domain)
    }

    package func register(
        _ progress: Progress, for item: NSFileProviderItemIdentifier,
        in domain: NSFileProviderDomainIdentifier, completionHandler: @escaping Done
    ) {
        pass(domain, completionHandler) {
            $0.register(progress, for: item, in: domain, completionHandler: completionHandler)
        }
    }

    package func claimKnownFolders(
        _ locations: NSFileProviderKnownFolderLocations, localizedReason: String,
        in domain: NSFileProviderDomainIdentifier, completionHandler: @escaping Done
    ) {
        pass(domain, completionHandler) {
            $0.claimKnownFolders(
                locations, localizedReason: localizedReason, in: domain,
                completionHandler: completionHandler)
        }
    }

    package func releaseKnownFolders(
        _ folders: NSFileProviderKnownFolders, localizedReason: String,
        in domain: NSFileProviderDomainIdentifier, completionHandler: @escaping Done
    ) {
        pass(domain, completionHandler) {
            $0.releaseKnownFolders(
                folders, localizedReason: localizedReason, in: domain,
                completionHandler: completionHandler)
        }
    }

    package func requestDiagnosticCollection(
        for item: NSFileProviderItemIdentifier, errorReason: any Error,
        in domain: NSFileProviderDomainIdentifier, completionHandler: @escaping Done
    ) {
        pass(domain, completionHandler) {
            $0.requestDiagnosticCollection(
                for: item, errorReason: errorReason, in: domain,
                completionHandler: completionHandler)
        }
    }
}
