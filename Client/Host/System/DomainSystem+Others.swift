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

    // A known folder is one that people see, and there is nothing yet in which they see a domain; nor anybody
    // who could ask them.

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
}
