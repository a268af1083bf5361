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
            var stored: StoredDomain
            if let begun = self.stored(domain), let removal = begun.removal {
                stored = begun
                // Nothing has gone yet, and so much is still to be had.
                if try shelf.hasReplica(domain) {
                    stored.removal = removal.revised(for: DomainRemoval(mode))
                }
            } else {
                stored = try settled(domain)
                stored.removal = DomainRemoval(mode)
            }
            do {
                try note(stored)
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
        try await stopForGood(domain)
        if stored.removal?.step == .gathering {
            do {
                try await gather(&stored)
                try note(stored)
            } catch {
                await giveUpRemoval(of: stored)
                let isFull = (error as? FileError)?.isOutOfSpace ?? false
                throw isFull ? CocoaError(.fileWriteOutOfSpace) : error
            }
        }
        let kept = try place(&stored)
        try leave(stored)
        return kept
    }

    /// While nothing of it has gone, a domain that cannot be stopped is not being removed.
    private func stopForGood(_ domain: StoredDomain) async throws {
        do {
            try await hosting.stop(domain.identifier)
        } catch {
            if let removal = domain.removal, removal.gathering == nil, removal.keptName == nil,
                try shelf.hasReplica(domain.identifier)
            {
                forgetRemoval(of: domain)
                await hostAgain(domain)
            }
            throw error
        }
    }

    // MARK: What is kept

    private var gatherings: String { settings.places + "/.basket-kept" }

    /// Nobody looks there. Nil while this removal has made nothing there.
    private func gathering(_ domain: StoredDomain) -> String? {
        domain.removal?.gathering.map { "\(gatherings)/\($0)" }
    }

    private func removeGathering(of domain: StoredDomain) throws(FileError) {
        guard let folder = gathering(domain) else { return }
        try takeBackNotImported(of: domain)
        try world.files.removeTree(folder)
        // Others may have something in it.
        try? world.files.removeFolder(gatherings)
    }

    /// Brings together what is to be kept. An earlier attempt that broke off was nothing but second names and copies,
    /// but for what could not be imported.
    private func gather(_ domain: inout StoredDomain) async throws {
        try removeGathering(of: domain)
        let name = world.randomBytes(16).map { String(Int($0) + 256, radix: 16).dropFirst() }
            .joined()
        domain.removal?.gathering = name
        domain.removal?.notImported = nil
        try note(domain)
        let folder = "\(gatherings)/\(name)"
        let keepsDownloads = domain.removal?.keepsDownloads ?? true
        guard let replica = try await openReplica(of: domain) else {
            domain.removal?.step = .leaving
            return
        }
        defer { replica.close() }
        // What is still on its way from an imported tree is the person's, too.
        try await world.aside { try await ArrivingTree(replica).takeIn() }
        let tree = KeptTree(
            replica: replica, files: world.files, log: world.log, folder: folder,
            keepsDownloads: keepsDownloads)
        let hasKept = try await world.aside { try await tree.gather() }
        let hasMore = try await gatherNotImported(of: &domain, in: folder)
        domain.removal?.step = .leaving
        guard hasKept || hasMore else { return }
        let place = try freeKeptName(for: domain)
        domain.removal?.keptName = place
    }

    // MARK: What could not be imported

    private func notImported(_ domain: StoredDomain) -> String {
        ArrivingTree.notImported(inReplica: shelf.replica(of: domain.identifier))
    }

    /// What no provider could take goes along. What nobody may read can only be moved; that is noted before, so that
    /// it comes back when the domain stays.
    private func gatherNotImported(
        of domain: inout StoredDomain, in folder: String
    ) async throws -> Bool {
        let (files, source) = (world.files, notImported(domain))
        guard try files.factsIfAny(of: source) != nil else { return false }
        if try files.openFolder(source).next(1).isEmpty { return false }
        try files.makeFolder(folder)
        let disk = try files.openDisk(holding: folder)
        let target = try files.freePath(for: "Not imported", in: folder)
        domain.removal?.notImported = String(target.dropFirst(folder.count + 1))
        try note(domain)
        do {
            try files.renameExclusively(source, to: target)
            try files.synchronizeFolder(shelf.replica(of: domain.identifier))
        } catch  where error.code == EXDEV {
            try await CopiedTree(original: source, copy: target, files: files).make()
        }
        try disk.synchronize()
        return true
    }

    private func takeBackNotImported(of domain: StoredDomain) throws(FileError) {
        guard let folder = gathering(domain), let name = domain.removal?.notImported else { return }
        let (moved, home) = ("\(folder)/\(name)", notImported(domain))
        // Where it is still at home, this is a copy.
        guard try world.files.factsIfAny(of: moved) != nil,
            try world.files.factsIfAny(of: home) == nil
        else { return }
        try world.files.renameExclusively(moved, to: home)
        for path in [folder, shelf.replica(of: domain.identifier)] {
            try world.files.synchronizeFolder(path)
        }
    }

    /// The replica of a domain that nobody hosts; nil where none was ever made.
    private func openReplica(of domain: StoredDomain) async throws -> Replica? {
        let folder = shelf.replica(of: domain.identifier)
        guard try world.files.factsIfAny(of: folder) != nil else { return nil }
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
        guard let name = domain.removal?.keptName else {
            try removeGathering(of: domain)
            return nil
        }
        let source =
            gathering(domain) ?? "\(gatherings)/\(DomainShelf.name(of: domain.identifier))"
        var path = "\(settings.places)/\(name)"
        var isWaiting = try files.factsIfAny(of: source) != nil
        if try !isWaiting && shelf.hasReplica(domain.identifier) {
            // Perhaps the volume is not there on which it lies. The replica is the last that is left, then.
            _ = try files.facts(of: path)
        }
        if isWaiting { removeMarks(in: source, of: domain) }
        while isWaiting {
            isWaiting = try !rename(source, to: path)
            guard isWaiting else { break }
            let other = try freeKeptName(for: domain)
            domain.removal?.keptName = other
            try note(domain)
            path = "\(settings.places)/\(other)"
        }
        try files.synchronizeFolder(settings.places)
        // Others may have something in it.
        try? files.removeFolder(gatherings)
        return URL(fileURLWithPath: path)
    }

    private func removeMarks(in folder: String, of domain: StoredDomain) {
        do {
            try KeptMarks(folder: folder, files: world.files).remove()
        } catch {
            warn("a note of the replica's stays at what is kept", domain, error)
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
            try takeBackNotImported(of: domain)
        } catch {
            return warn(
                "what could not be imported has to come back at the next start", domain, error)
        }
        do {
            try removeGathering(of: domain)
        } catch {
            warn("what was brought together of a domain stays for now", domain, error)
        }
        do {
            if let replica = try await openReplica(of: domain) {
                defer { replica.close() }
                try await replica.takeBackContents()
            }
        } catch {
            warn("what was brought together of a domain is noted at its files still", domain, error)
        }
        forgetRemoval(of: domain)
        await hostAgain(domain)
    }

    private func hostAgain(_ domain: StoredDomain) async {
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
                try world.files.removeFolder(place)
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
