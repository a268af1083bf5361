import BasketSupport
import FileProvider
import FileProviderReplica
import Foundation
import Glibc
import Synchronization

// Domains that go.
extension DomainRegistry {
    /// Removes a domain with all that is here of it, but for what is to be kept. When that cannot be kept, the domain
    /// stays as it was.
    /// - Returns: where that lies now; nil when there is nothing.
    package func remove(
        _ domain: NSFileProviderDomainIdentifier, mode: NSFileProviderManager.DomainRemovalMode
    ) async throws -> URL? {
        let kept = try await turns.alone(with: domain) {
            if let begun = stored(domain), begun.removal != nil {
                return try await finishRemoval(of: begun)
            }
            var stored = try settled(domain)
            stored.removal = DomainRemoval(mode)
            do {
                try note(stored)
                try await hosting.stop(domain)
            } catch {
                forgetRemoval(of: stored)
                throw error
            }
            return try await finishRemoval(of: stored)
        }
        tell()
        return kept
    }

    /// What a process had begun that is dead.
    func resumeRemoval(of domain: StoredDomain) async throws {
        _ = try await finishRemoval(of: domain)
    }

    private func note(_ domain: StoredDomain) throws {
        if let removal = domain.removal { try shelf.store(removal, of: domain.identifier) }
        state.withLock { $0.domains[domain.identifier] = domain }
    }

    private func finishRemoval(of domain: StoredDomain) async throws -> URL? {
        var stored = domain
        try await hosting.stop(stored.identifier)
        if stored.removal?.step == .gathering {
            do {
                try await gather(&stored)
                try note(stored)
            } catch {
                await giveUpRemoval(of: domain)
                let isFull = (error as? FileError)?.isOutOfSpace ?? false
                throw isFull ? CocoaError(.fileWriteOutOfSpace) : error
            }
        }
        let kept = try place(&stored)
        try leave(stored)
        return kept
    }

    // MARK: What is kept

    private var gatherings: String { settings.places + "/.basket-kept" }

    /// Nobody looks there.
    private func gathering(_ domain: StoredDomain) -> String {
        "\(gatherings)/\(DomainShelf.name(of: domain.identifier))"
    }

    private func removeGathering(of domain: StoredDomain) throws(FileError) {
        try world.files.removeTree(gathering(domain))
        // Others may have something in it.
        try? world.files.remove(gatherings)
    }

    /// Brings together what is to be kept. An earlier attempt that broke off was nothing but second names and copies.
    private func gather(_ domain: inout StoredDomain) async throws {
        let folder = gathering(domain)
        try world.files.removeTree(folder)
        domain.removal?.step = .leaving
        let keepsDownloads = domain.removal?.keepsDownloads ?? true
        guard let replica = try await openReplica(of: domain) else { return }
        defer { replica.close() }
        // What is still on its way from an imported tree is the person's, too.
        try await ArrivingTree(replica).takeIn()
        let tree = KeptTree(
            replica: replica, files: world.files, log: world.log, folder: folder,
            keepsDownloads: keepsDownloads)
        guard try await tree.gather() else { return }
        let name = try freeKeptName(for: domain)
        domain.removal?.keptName = name
    }

    /// The replica of a domain that nobody hosts; nil where none was ever made.
    private func openReplica(of domain: StoredDomain) async throws -> Replica? {
        let folder = shelf.replica(of: domain.identifier)
        guard world.files.exists(folder) else { return nil }
        return try await Replica(
            folder: folder, rule: .posix, boot: settings.boot, world: world,
            makeWriter: settings.makeWriter)
    }

    private func freeKeptName(for domain: StoredDomain) throws -> String {
        let tail = " (kept \(world.now().rfc3339.prefix(10)))"
        var head = domain.place
        while head.utf8.count + tail.utf8.count > CaseRule.longestName { head.removeLast() }
        let path = try world.files.freePath(for: head + tail, in: settings.places)
        return String(path.dropFirst(settings.places.count + 1))
    }

    /// Gives what was kept its place, if it has not got it yet.
    private func place(_ domain: inout StoredDomain) throws -> URL? {
        let files = world.files
        let source = gathering(domain)
        guard let name = domain.removal?.keptName else {
            try removeGathering(of: domain)
            return nil
        }
        keepNotImported(of: domain, in: source)
        var path = "\(settings.places)/\(name)"
        while try files.factsIfAny(of: source) != nil {
            if try rename(source, to: path) { break }
            let other = try freeKeptName(for: domain)
            domain.removal?.keptName = other
            try note(domain)
            path = "\(settings.places)/\(other)"
        }
        try files.synchronizeFolder(settings.places)
        try removeGathering(of: domain)
        return URL(fileURLWithPath: path)
    }

    /// What no provider could take goes along with what is kept.
    private func keepNotImported(of domain: StoredDomain, in folder: String) {
        let path = ArrivingTree.notImported(inReplica: shelf.replica(of: domain.identifier))
        guard world.files.exists(path), world.files.exists(folder) else { return }
        do {
            try world.files.rename(
                path, to: world.files.freePath(for: "Not imported", in: folder))
        } catch {
            warn("what could not be imported goes with its domain", domain, error)
        }
    }

    /// - Returns: false where something is there already.
    private func rename(_ path: String, to target: String) throws(FileError) -> Bool {
        do throws(FileError) {
            try world.files.renameExclusively(path, to: target)
            return true
        } catch  where error.code == EEXIST {
            return false
        }
    }

    // MARK: Ways out

    /// The domain stays: nothing of it has gone yet.
    private func giveUpRemoval(of domain: StoredDomain) async {
        do {
            try removeGathering(of: domain)
            if let replica = try await openReplica(of: domain) {
                defer { replica.close() }
                try await replica.takeBackContents()
            }
        } catch {
            warn("what was brought together of a domain stays for now", domain, error)
        }
        forgetRemoval(of: domain)
        do {
            if let stored = stored(domain.identifier) { try await host(stored) }
        } catch {
            warn("a domain that was not removed is not hosted", domain, error)
        }
    }

    private func forgetRemoval(of domain: StoredDomain) {
        var stored = domain
        stored.removal = nil
        do {
            try shelf.forgetRemoval(of: domain.identifier)
        } catch {
            warn("the next start goes on with a removal that failed", domain, error)
        }
        let still = stored
        state.withLock { $0.domains[still.identifier] = still }
    }

    private func warn(_ what: StaticString, _ domain: StoredDomain, _ error: any Error) {
        world.log.error(
            what, ["domain": .text(domain.identifier.rawValue), "error": .text("\(error)")])
    }

    /// The last of a domain goes: its place, when nothing of anybody's is in it, and its folder.
    private func leave(_ domain: StoredDomain) throws {
        let place = folders(of: domain).place
        if try world.files.factsIfAny(of: place) != nil {
            do {
                try world.files.remove(place)
            } catch {
                world.log.warning(
                    "the folder of a removed domain stays, for what is in it",
                    ["folder": .text(place), "error": .text("\(error)")])
            }
        }
        try shelf.remove(domain.identifier)
        state.withLock { _ = $0.domains.removeValue(forKey: domain.identifier) }
    }
}
