import Foundation

/// What the manager asks. The host of a domain implements it in the process that the extension lives in; in
/// others it is a messenger of the daemon.
///
/// With completion handlers, which may be called on any thread, and exactly once: a manager's caller may
/// have nothing that could wait, and nobody here starts a task on its own.
package protocol FileProviderSystem: AnyObject, Sendable {
    typealias Done = @Sendable ((any Error)?) -> Void

    // What concerns no domain in particular.

    /// `problem` of the domain's record is nil.
    func add(_ domain: NSFileProviderDomain, completionHandler: @escaping Done)
    func remove(
        _ domain: NSFileProviderDomain, mode: NSFileProviderManager.DomainRemovalMode,
        completionHandler: @escaping @Sendable (Result<URL?, any Error>) -> Void)
    func removeAllDomains(completionHandler: @escaping Done)
    func domains(
        completionHandler: @escaping @Sendable (Result<[NSFileProviderDomain], any Error>) -> Void)
    /// `problem` of the domain's record is nil.
    func importDomain(
        _ domain: NSFileProviderDomain, fromDirectoryAt url: URL,
        completionHandler: @escaping Done)
    func place(
        ofUserVisibleFileAt url: URL,
        completionHandler: @escaping @Sendable (Result<UserVisiblePlace, any Error>) -> Void)
    func eligibility(
        ofVolumeAt url: URL
    ) throws -> NSFileProviderManager.EligibilityResult
    func services(
        forItemAt url: URL,
        completionHandler: @escaping @Sendable (Result<[NSFileProviderService], any Error>) -> Void)

    // What concerns one domain.

    func signalEnumerator(
        for container: NSFileProviderItemIdentifier, in domain: NSFileProviderDomainIdentifier,
        completionHandler: @escaping Done)
    func signalErrorResolved(
        _ error: any Error, in domain: NSFileProviderDomainIdentifier,
        completionHandler: @escaping Done)
    func userVisibleURL(
        for item: NSFileProviderItemIdentifier, in domain: NSFileProviderDomainIdentifier,
        completionHandler: @escaping @Sendable (Result<URL, any Error>) -> Void)
    func temporaryDirectoryURL(in domain: NSFileProviderDomainIdentifier) throws -> URL
    func stateDirectoryURL(in domain: NSFileProviderDomainIdentifier) throws -> URL
    /// No range means all of the item.
    func requestDownload(
        of item: NSFileProviderItemIdentifier, range: NSRange?,
        in domain: NSFileProviderDomainIdentifier, completionHandler: @escaping Done)
    func evict(
        _ item: NSFileProviderItemIdentifier, in domain: NSFileProviderDomainIdentifier,
        completionHandler: @escaping Done)
    func reimportItems(
        below item: NSFileProviderItemIdentifier, in domain: NSFileProviderDomainIdentifier,
        completionHandler: @escaping Done)
    func requestModification(
        of fields: NSFileProviderItemFields, of item: NSFileProviderItemIdentifier,
        options: NSFileProviderModifyItemOptions, in domain: NSFileProviderDomainIdentifier,
        completionHandler: @escaping Done)
    func waitForChanges(
        below item: NSFileProviderItemIdentifier, in domain: NSFileProviderDomainIdentifier,
        completionHandler: @escaping Done)
    func waitForStabilization(
        in domain: NSFileProviderDomainIdentifier, completionHandler: @escaping Done)
    func disconnect(
        reason: String, options: NSFileProviderManager.DisconnectionOptions,
        in domain: NSFileProviderDomainIdentifier, completionHandler: @escaping Done)
    func reconnect(in domain: NSFileProviderDomainIdentifier, completionHandler: @escaping Done)
    func globalProgress(
        for kind: Progress.FileOperationKind, in domain: NSFileProviderDomainIdentifier
    ) -> Progress
    /// Shows the progress on the item.
    func register(
        _ progress: Progress, for item: NSFileProviderItemIdentifier,
        in domain: NSFileProviderDomainIdentifier, completionHandler: @escaping Done)
    func enumeratorForMaterializedItems(
        in domain: NSFileProviderDomainIdentifier
    ) -> any NSFileProviderEnumerator
    func enumeratorForPendingItems(
        in domain: NSFileProviderDomainIdentifier
    ) -> any NSFileProviderPendingSetEnumerator
    func service(
        named name: NSFileProviderServiceName, for item: NSFileProviderItemIdentifier,
        in domain: NSFileProviderDomainIdentifier,
        completionHandler: @escaping @Sendable (Result<NSFileProviderService?, any Error>) -> Void)
    func listAvailableTestingOperations(
        in domain: NSFileProviderDomainIdentifier
    ) throws -> [any NSFileProviderTestingOperation]
    func run(
        _ operations: [any NSFileProviderTestingOperation],
        in domain: NSFileProviderDomainIdentifier
    ) throws -> [AnyHashable: any Error]
    func claimKnownFolders(
        _ locations: NSFileProviderKnownFolderLocations, localizedReason: String,
        in domain: NSFileProviderDomainIdentifier, completionHandler: @escaping Done)
    func releaseKnownFolders(
        _ folders: NSFileProviderKnownFolders, localizedReason: String,
        in domain: NSFileProviderDomainIdentifier, completionHandler: @escaping Done)
    func requestDiagnosticCollection(
        for item: NSFileProviderItemIdentifier, errorReason: any Error,
        in domain: NSFileProviderDomainIdentifier, completionHandler: @escaping Done)
}
