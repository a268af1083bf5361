import FileProvider
import Foundation

// What is not for the host of one domain to do.
extension DomainSystem {
    package func add(_ domain: NSFileProviderDomain, completionHandler: @escaping Done) {
        completionHandler(unsupported())
    }

    package func remove(
        _ domain: NSFileProviderDomain, mode: NSFileProviderManager.DomainRemovalMode,
        completionHandler: @escaping @Sendable (Result<URL?, any Error>) -> Void
    ) {
        completionHandler(.failure(unsupported()))
    }

    package func removeAllDomains(completionHandler: @escaping Done) {
        completionHandler(unsupported())
    }

    package func domains(
        completionHandler: @escaping @Sendable (Result<[NSFileProviderDomain], any Error>) -> Void
    ) {
        completionHandler(.failure(unsupported()))
    }

    package func importDomain(
        _ domain: NSFileProviderDomain, fromDirectoryAt url: URL,
        completionHandler: @escaping Done
    ) {
        completionHandler(unsupported())
    }

    package func eligibility(
        ofVolumeAt url: URL
    ) throws -> NSFileProviderManager.EligibilityResult {
        throw unsupported()
    }

    package func register(
        _ progress: Progress, for item: NSFileProviderItemIdentifier,
        in domain: NSFileProviderDomainIdentifier, completionHandler: @escaping Done
    ) {
        completionHandler(unsupported())
    }

    package func claimKnownFolders(
        _ locations: NSFileProviderKnownFolderLocations, localizedReason: String,
        in domain: NSFileProviderDomainIdentifier, completionHandler: @escaping Done
    ) {
        completionHandler(unsupported())
    }

    package func releaseKnownFolders(
        _ folders: NSFileProviderKnownFolders, localizedReason: String,
        in domain: NSFileProviderDomainIdentifier, completionHandler: @escaping Done
    ) {
        completionHandler(unsupported())
    }

    package func requestDiagnosticCollection(
        for item: NSFileProviderItemIdentifier, errorReason: any Error,
        in domain: NSFileProviderDomainIdentifier, completionHandler: @escaping Done
    ) {
        completionHandler(unsupported())
    }
}
