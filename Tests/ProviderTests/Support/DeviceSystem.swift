import FileProvider
import Foundation
import Synchronization

/// The system's side of one device: it has two folders for the extension, and counts what it is told.
final class DeviceSystem: FileProviderSystem {
    private let folder: String
    private let signals = Mutex(0)
    private let resolved = Mutex<[NSFileProviderError.Code]>([])
    private let records = Mutex<[DomainRecord]>([])

    init(folder: String) {
        self.folder = folder
    }

    /// How often changes were signalled.
    var signalCount: Int { signals.withLock { $0 } }
    /// Which errors were said to stand no more.
    var resolvedErrors: [NSFileProviderError.Code] { resolved.withLock { $0 } }

    func add(_ domain: NSFileProviderDomain, completionHandler: @escaping Done) {
        let record = domain.record
        records.withLock { $0.append(record) }
        completionHandler(nil)
    }

    func remove(
        _ domain: NSFileProviderDomain, mode: NSFileProviderManager.DomainRemovalMode,
        completionHandler: @escaping @Sendable (Result<URL?, any Error>) -> Void
    ) {
        let name = domain.identifier
        records.withLock { $0.removeAll { $0.identifier == name } }
        completionHandler(.success(URL(fileURLWithPath: "/kept/\(name.rawValue)")))
    }

    func removeAllDomains(completionHandler: @escaping Done) {
        records.withLock { $0 = [] }
        completionHandler(nil)
    }

    func domains(
        completionHandler: @escaping @Sendable (Result<[NSFileProviderDomain], any Error>) -> Void
    ) {
        let records = records.withLock { $0 }
        completionHandler(.success(records.map { NSFileProviderDomain(record: $0, system: self) }))
    }

    func importDomain(
        _ domain: NSFileProviderDomain, fromDirectoryAt url: URL,
        completionHandler: @escaping Done
    ) {
        completionHandler(CocoaError(.featureUnsupported))
    }

    func place(
        ofUserVisibleFileAt url: URL,
        completionHandler: @escaping @Sendable (Result<UserVisiblePlace, any Error>) -> Void
    ) {
        completionHandler(.failure(CocoaError(.fileNoSuchFile)))
    }

    func eligibility(ofVolumeAt url: URL) throws -> NSFileProviderManager.EligibilityResult {
        .eligible
    }

    func services(
        forItemAt url: URL,
        completionHandler: @escaping @Sendable (Result<[NSFileProviderService], any Error>) -> Void
    ) {
        completionHandler(.success([]))
    }

    func signalEnumerator(
        for container: NSFileProviderItemIdentifier, in domain: NSFileProviderDomainIdentifier,
        completionHandler: @escaping Done
    ) {
        signals.withLock { $0 += 1 }
        completionHandler(nil)
    }

    func signalErrorResolved(
        _ error: any Error, in domain: NSFileProviderDomainIdentifier,
        completionHandler: @escaping Done
    ) {
        if let code = NSFileProviderError(bridging: error)?.code {
            resolved.withLock { $0.append(code) }
        }
        completionHandler(nil)
    }

    func userVisibleURL(
        for item: NSFileProviderItemIdentifier, in domain: NSFileProviderDomainIdentifier,
        completionHandler: @escaping @Sendable (Result<URL, any Error>) -> Void
    ) {
        completionHandler(.success(URL(fileURLWithPath: "/seen/\(item.rawValue)")))
    }

    func temporaryDirectoryURL(in domain: NSFileProviderDomainIdentifier) throws -> URL {
        URL(fileURLWithPath: folder + "/temporary")
    }

    func stateDirectoryURL(in domain: NSFileProviderDomainIdentifier) throws -> URL {
        URL(fileURLWithPath: folder + "/state")
    }

    func requestDownload(
        of item: NSFileProviderItemIdentifier, range: NSRange?,
        in domain: NSFileProviderDomainIdentifier, completionHandler: @escaping Done
    ) {
        completionHandler(nil)
    }

    func evict(
        _ item: NSFileProviderItemIdentifier, in domain: NSFileProviderDomainIdentifier,
        completionHandler: @escaping Done
    ) {
        completionHandler(nil)
    }

    func reimportItems(
        below item: NSFileProviderItemIdentifier, in domain: NSFileProviderDomainIdentifier,
        completionHandler: @escaping Done
    ) {
        completionHandler(nil)
    }

    func requestModification(
        of fields: NSFileProviderItemFields, of item: NSFileProviderItemIdentifier,
        options: NSFileProviderModifyItemOptions, in domain: NSFileProviderDomainIdentifier,
        completionHandler: @escaping Done
    ) {
        completionHandler(nil)
    }

    func waitForChanges(
        below item: NSFileProviderItemIdentifier, in domain: NSFileProviderDomainIdentifier,
        completionHandler: @escaping Done
    ) {
        completionHandler(nil)
    }

    func waitForStabilization(
        in domain: NSFileProviderDomainIdentifier, completionHandler: @escaping Done
    ) {
        completionHandler(nil)
    }

    func disconnect(
        reason: String, options: NSFileProviderManager.DisconnectionOptions,
        in domain: NSFileProviderDomainIdentifier, completionHandler: @escaping Done
    ) {
        completionHandler(nil)
    }

    func reconnect(in domain: NSFileProviderDomainIdentifier, completionHandler: @escaping Done) {
        completionHandler(nil)
    }

    func globalProgress(
        for kind: Progress.FileOperationKind, in domain: NSFileProviderDomainIdentifier
    ) -> Progress {
        Progress(totalUnitCount: 2)
    }

    func register(
        _ progress: Progress, for item: NSFileProviderItemIdentifier,
        in domain: NSFileProviderDomainIdentifier, completionHandler: @escaping Done
    ) {
        completionHandler(nil)
    }

    func enumeratorForMaterializedItems(
        in domain: NSFileProviderDomainIdentifier
    ) -> any NSFileProviderEnumerator {
        preconditionFailure("no test asks for it")
    }

    func enumeratorForPendingItems(
        in domain: NSFileProviderDomainIdentifier
    ) -> any NSFileProviderPendingSetEnumerator {
        preconditionFailure("no test asks for it")
    }

    func service(
        named name: NSFileProviderServiceName, for item: NSFileProviderItemIdentifier,
        in domain: NSFileProviderDomainIdentifier,
        completionHandler: @escaping @Sendable (Result<NSFileProviderService?, any Error>) -> Void
    ) {
        completionHandler(.success(nil))
    }

    func listAvailableTestingOperations(
        in domain: NSFileProviderDomainIdentifier
    ) throws -> [any NSFileProviderTestingOperation] { [] }

    func run(
        _ operations: [any NSFileProviderTestingOperation],
        in domain: NSFileProviderDomainIdentifier
    ) throws -> [AnyHashable: any Error] { [:] }

    func claimKnownFolders(
        _ locations: NSFileProviderKnownFolderLocations, localizedReason: String,
        in domain: NSFileProviderDomainIdentifier, completionHandler: @escaping Done
    ) {
        completionHandler(nil)
    }

    func releaseKnownFolders(
        _ folders: NSFileProviderKnownFolders, localizedReason: String,
        in domain: NSFileProviderDomainIdentifier, completionHandler: @escaping Done
    ) {
        completionHandler(nil)
    }

    func requestDiagnosticCollection(
        for item: NSFileProviderItemIdentifier, errorReason: any Error,
        in domain: NSFileProviderDomainIdentifier, completionHandler: @escaping Done
    ) {
        completionHandler(nil)
    }
}
