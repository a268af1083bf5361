import BasketSupport
import FileProvider
import FileProviderReplica
import Foundation
import Synchronization

/// What an extension's manager reaches: the system of one domain, in the process that hosts it. What
/// concerns the mount or other domains is not for a host alone to answer, and is refused as unsupported
/// until somebody who can is set before it.
package final class DomainSystem: FileProviderSystem {
    private let folder: String
    private let world: World
    private let hosted = Mutex<Hosted>(Hosted())

    /// Weak: the host holds the extension, which holds its manager.
    private struct Hosted {
        weak var host: DomainHost?
    }

    /// - Parameter folder: on the replica's volume; made where it is missing.
    package init(folder: String, world: World) throws(FileError) {
        self.folder = folder
        self.world = world
        for part in ["temporary", "state"] { try world.files.makeFolder("\(folder)/\(part)") }
    }

    package func serve(_ host: DomainHost?) {
        hosted.withLock { $0.host = host }
    }

    private var host: DomainHost? { hosted.withLock { $0.host } }

    private func unsupported() -> any Error { CocoaError(.featureUnsupported) }

    /// Does something for the domain, and tells how it ended.
    private func ask(
        _ completionHandler: @escaping Done,
        _ work: @escaping @Sendable (DomainHost) async throws -> Void
    ) {
        guard let host else {
            return completionHandler(NSFileProviderError(.providerDomainTemporarilyUnavailable))
        }
        _ = world.spawn {
            do {
                try await work(host)
                completionHandler(nil)
            } catch {
                completionHandler(error)
            }
        }
    }

    private func node(
        _ identifier: NSFileProviderItemIdentifier, _ host: DomainHost
    ) throws -> NodeID {
        guard let id = try host.replica.read({ try $0.id(of: identifier) }) else {
            throw NSError.fileProviderErrorForNonExistentItem(withIdentifier: identifier)
        }
        return id
    }

    // MARK: One domain

    package func signalEnumerator(
        for container: NSFileProviderItemIdentifier, in domain: NSFileProviderDomainIdentifier,
        completionHandler: @escaping Done
    ) {
        // Changes come by the working set alone, whatever is signalled.
        host?.signal()
        completionHandler(nil)
    }

    package func signalErrorResolved(
        _ error: any Error, in domain: NSFileProviderDomainIdentifier,
        completionHandler: @escaping Done
    ) {
        let stored = error as NSError
        let (errorDomain, code) = (stored.domain, stored.code)
        let isExcluded = Reaction(error) == .excluded
        ask(completionHandler) { host in
            try await host.replica.write { transaction in
                try transaction.resolve(domain: errorDomain, code: code)
                if isExcluded { try transaction.include(.byProvider) }
            }
            host.signal()
        }
    }

    package func temporaryDirectoryURL(in domain: NSFileProviderDomainIdentifier) throws -> URL {
        URL(fileURLWithPath: folder + "/temporary")
    }

    package func stateDirectoryURL(in domain: NSFileProviderDomainIdentifier) throws -> URL {
        URL(fileURLWithPath: folder + "/state")
    }

    package func requestDownload(
        of item: NSFileProviderItemIdentifier, range: NSRange?,
        in domain: NSFileProviderDomainIdentifier, completionHandler: @escaping Done
    ) {
        ask(completionHandler) { host in
            let id = try self.node(item, host)
            let isFolder = try host.replica.read { try $0.node(id)?.kind == .folder }
            // Of a folder, one level.
            if isFolder { return try await host.list(id) }
            if let range, range.location >= 0, range.length > 0,
                range.length <= Int.max - range.location
            {
                let start = Int64(range.location)
                // That it was asked for is all that is waited for.
                _ = self.world.spawn {
                    try? await host.materialise(start..<start + Int64(range.length), of: id)
                }
                return
            }
            try await host.replica.write { transaction in
                _ = try transaction.update(id) { node in
                    node.isWanted = node.kind == .file && node.residence != .whole
                }
            }
        }
    }

    package func evict(
        _ item: NSFileProviderItemIdentifier, in domain: NSFileProviderDomainIdentifier,
        completionHandler: @escaping Done
    ) {
        ask(completionHandler) { host in
            let id = try self.node(item, host)
            try await host.evict(id)
        }
    }

    package func waitForStabilization(
        in domain: NSFileProviderDomainIdentifier, completionHandler: @escaping Done
    ) {
        ask(completionHandler) { try await $0.waitForRest() }
    }

    package func waitForChanges(
        below item: NSFileProviderItemIdentifier, in domain: NSFileProviderDomainIdentifier,
        completionHandler: @escaping Done
    ) {
        ask(completionHandler) { host in
            try await host.waitForChanges(below: self.node(item, host))
        }
    }

    // MARK: Of the mount and of others

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

    package func place(
        ofUserVisibleFileAt url: URL,
        completionHandler: @escaping @Sendable (Result<UserVisiblePlace, any Error>) -> Void
    ) {
        completionHandler(.failure(unsupported()))
    }

    package func eligibility(
        ofVolumeAt url: URL
    ) throws -> NSFileProviderManager.EligibilityResult {
        throw unsupported()
    }

    package func services(
        forItemAt url: URL,
        completionHandler: @escaping @Sendable (Result<[NSFileProviderService], any Error>) -> Void
    ) {
        completionHandler(.failure(unsupported()))
    }

    package func userVisibleURL(
        for item: NSFileProviderItemIdentifier, in domain: NSFileProviderDomainIdentifier,
        completionHandler: @escaping @Sendable (Result<URL, any Error>) -> Void
    ) {
        completionHandler(.failure(unsupported()))
    }

    package func reimportItems(
        below item: NSFileProviderItemIdentifier, in domain: NSFileProviderDomainIdentifier,
        completionHandler: @escaping Done
    ) {
        completionHandler(unsupported())
    }

    package func requestModification(
        of fields: NSFileProviderItemFields, of item: NSFileProviderItemIdentifier,
        options: NSFileProviderModifyItemOptions, in domain: NSFileProviderDomainIdentifier,
        completionHandler: @escaping Done
    ) {
        completionHandler(unsupported())
    }

    package func disconnect(
        reason: String, options: NSFileProviderManager.DisconnectionOptions,
        in domain: NSFileProviderDomainIdentifier, completionHandler: @escaping Done
    ) {
        completionHandler(unsupported())
    }

    package func reconnect(
        in domain: NSFileProviderDomainIdentifier, completionHandler: @escaping Done
    ) {
        completionHandler(unsupported())
    }

    package func globalProgress(
        for kind: Progress.FileOperationKind, in domain: NSFileProviderDomainIdentifier
    ) -> Progress {
        host?.globalProgress(for: kind) ?? GlobalProgress(kind).progress
    }

    package func register(
        _ progress: Progress, for item: NSFileProviderItemIdentifier,
        in domain: NSFileProviderDomainIdentifier, completionHandler: @escaping Done
    ) {
        completionHandler(unsupported())
    }

    package func enumeratorForMaterializedItems(
        in domain: NSFileProviderDomainIdentifier
    ) -> any NSFileProviderEnumerator {
        ItemSetEnumerator(.materialised, of: host)
    }

    package func enumeratorForPendingItems(
        in domain: NSFileProviderDomainIdentifier
    ) -> any NSFileProviderPendingSetEnumerator {
        ItemSetEnumerator(.pending, of: host)
    }

    package func service(
        named name: NSFileProviderServiceName, for item: NSFileProviderItemIdentifier,
        in domain: NSFileProviderDomainIdentifier,
        completionHandler: @escaping @Sendable (Result<NSFileProviderService?, any Error>) -> Void
    ) {
        completionHandler(.failure(unsupported()))
    }

    package func listAvailableTestingOperations(
        in domain: NSFileProviderDomainIdentifier
    ) throws -> [any NSFileProviderTestingOperation] {
        throw unsupported()
    }

    package func run(
        _ operations: [any NSFileProviderTestingOperation],
        in domain: NSFileProviderDomainIdentifier
    ) throws -> [AnyHashable: any Error] {
        throw unsupported()
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
