import BasketSupport
import FileProvider
import FileProviderReplica
import Foundation
import Synchronization

/// Knows which domains there are, has them hosted, and answers for all of them. What it has said is done is
/// durable; what it had begun when it died, it brings to its end at the next start.
package final class DomainRegistry: Sendable {
    struct State {
        var domains: [NSFileProviderDomainIdentifier: StoredDomain] = [:]
        /// Domains whose records cannot be read, and why.
        var unavailable: [NSFileProviderDomainIdentifier: String] = [:]
        /// Why domains that are to be hosted are not.
        var failures: [NSFileProviderDomainIdentifier: String] = [:]
        /// Places that are being given to domains just now.
        var claims: Set<String> = []
        /// Whether anybody has asked for the domains: nobody else hears of changes.
        var wasAsked = false
    }

    let settings: RegistrySettings
    let hosting: any DomainHosting
    let world: World
    let shelf: DomainShelf
    let state = Mutex(State())
    let turns = DomainTurns()
    /// Two registries would undo each other's work.
    private let lock: FileLock?

    /// Reads what is there. Nothing is hosted yet.
    /// - Throws: `FileLock.Held` while another one has the folder.
    package init(
        settings: RegistrySettings, hosting: any DomainHosting, world: World
    ) throws {
        try world.files.makeFolder(settings.folder)
        lock = try settings.lock("\(settings.folder)/.lock")
        self.settings = settings
        self.hosting = hosting
        self.world = world
        shelf = DomainShelf(folder: settings.folder, files: world.files)
        try world.files.makeFolder(settings.places)
        let found = try shelf.load()
        for (domain, problem) in found.unavailable.sorted(by: { $0.key.rawValue < $1.key.rawValue })
        {
            world.log.error(
                "a domain's record cannot be read, and stays as it is",
                ["domain": .text(domain.rawValue), "error": .text(problem)])
        }
        state.withLock { state in
            state.unavailable = found.unavailable
            for domain in found.domains { state.domains[domain.identifier] = domain }
        }
    }

    /// Has everything hosted that is to be, after bringing to its end what was begun. What goes wrong with one
    /// domain is said, and keeps no other one.
    package func start() async {
        let domains = state.withLock { $0.domains.keys.sorted { $0.rawValue < $1.rawValue } }
        await withTaskGroup(of: Void.self) { group in
            for domain in domains {
                group.addTask {
                    do {
                        try await self.turns.alone(with: domain) { try await self.resume(domain) }
                    } catch {
                        self.world.log.error(
                            "a domain cannot be started",
                            ["domain": .text(domain.rawValue), "error": .text("\(error)")])
                    }
                }
            }
        }
    }

    /// Tries once more to have those hosted that could not be: what was in the way may have passed.
    package func startFailed() async {
        let domains = state.withLock { $0.failures.keys.sorted { $0.rawValue < $1.rawValue } }
        for domain in domains {
            do {
                try await turns.alone(with: domain) {
                    guard failure(of: domain) != nil, let stored = stored(domain) else { return }
                    try await resume(domain)
                    if stored.record.userEnabled {
                        world.log.notice(
                            "a domain that could not be started is there",
                            ["domain": .text(domain.rawValue)])
                    }
                }
            } catch {
                // It was said why, and what is new about it is shown to who asks.
                continue
            }
        }
    }

    private func resume(_ domain: NSFileProviderDomainIdentifier) async throws {
        guard let stored = stored(domain) else { return }
        if stored.removal != nil { return try await resumeRemoval(of: stored) }
        if stored.arrival != nil { return try await resumeImport(of: stored) }
        try await host(stored)
    }

    func stored(_ domain: NSFileProviderDomainIdentifier) -> StoredDomain? {
        state.withLock { $0.domains[domain] }
    }

    func folders(of domain: StoredDomain) -> DomainFolders {
        DomainFolders(
            replica: shelf.replica(of: domain.identifier),
            place: "\(settings.places)/\(domain.place)")
    }

    /// Domains whose records cannot be read, and why. They are neither hosted nor touched.
    package var unavailable: [NSFileProviderDomainIdentifier: String] {
        state.withLock { $0.unavailable }
    }

    /// Why nobody hosts a domain that is to be hosted; nil where that is not known to be so.
    package func failure(of domain: NSFileProviderDomainIdentifier) -> String? {
        state.withLock { $0.failures[domain] }
    }

    /// The records of all domains, as they are now, by identifier.
    package func records() -> [DomainRecord] {
        let domains = state.withLock { state in
            state.domains.values.sorted { $0.identifier.rawValue < $1.identifier.rawValue }
        }
        return domains.filter { $0.removal == nil && $0.arrival == nil }.map(completed)
    }

    /// With what the replica knows of the domain.
    private func completed(_ domain: StoredDomain) -> DomainRecord {
        var record = domain.record
        do {
            let folder = shelf.replica(of: domain.identifier)
            guard let summary = try ReplicaSummary(folder: folder, files: world.files) else {
                return record
            }
            record.isDisconnected = summary.disconnection != nil
            record.backingStoreIdentity = summary.identity
        } catch {
            world.log.warning(
                "a replica cannot be looked into",
                ["domain": .text(domain.identifier.rawValue), "error": .text("\(error)")])
        }
        return record
    }

    // MARK: Changes

    /// Stores a domain, then knows it so.
    func put(_ domain: StoredDomain) throws {
        try shelf.store(domain)
        state.withLock { $0.domains[domain.identifier] = domain }
    }

    func host(_ domain: StoredDomain) async throws {
        guard domain.record.userEnabled else { return }
        let folders = folders(of: domain)
        do {
            try world.files.makeFolder(folders.replica)
            try await hosting.start(domain.record, in: folders)
            state.withLock { _ = $0.failures.removeValue(forKey: domain.identifier) }
        } catch {
            state.withLock { $0.failures[domain.identifier] = "\(error)" }
            throw error
        }
    }

    /// Switches a domain on or off, as its person wants it.
    package func setEnabled(
        _ isEnabled: Bool, _ domain: NSFileProviderDomainIdentifier
    ) async throws {
        try await turns.alone(with: domain) {
            var stored = try settled(domain)
            // What is in use stays as it is: that is said, and nothing is stored.
            if !isEnabled { try await hosting.stop(domain) }
            if stored.record.userEnabled != isEnabled {
                let before = stored
                stored.record.userEnabled = isEnabled
                do {
                    try put(stored)
                } catch {
                    try? await host(before)
                    throw error
                }
            }
            // Also where the last attempt to host it has failed.
            if isEnabled { try await host(stored) }
        }
        tell()
    }

    /// A domain with which nothing else is being done.
    func settled(_ domain: NSFileProviderDomainIdentifier) throws -> StoredDomain {
        if state.withLock({ $0.unavailable[domain] != nil }) {
            throw NSFileProviderError(.providerDomainTemporarilyUnavailable)
        }
        guard let stored = stored(domain) else {
            throw NSFileProviderError(.providerDomainNotFound)
        }
        guard stored.removal == nil, stored.arrival == nil else {
            throw NSFileProviderError(.providerDomainTemporarilyUnavailable)
        }
        return stored
    }

    /// Something about the domains is not as it was.
    func tell() {
        guard state.withLock({ $0.wasAsked }) else { return }
        settings.post(.fileProviderDomainDidChange, nil)
    }

    /// A set of a domain has other items than before: whoever hosts it says so.
    package func tell(of set: ItemSet, in domain: NSFileProviderDomainIdentifier) {
        guard state.withLock({ $0.wasAsked }) else { return }
        let name: Notification.Name =
            switch set {
            case .materialised: .fileProviderMaterializedSetDidChange
            case .pending: .fileProviderPendingSetDidChange
            }
        settings.post(name, domain)
    }
}
