import BasketSupport
import FileProvider
import FileProviderReplica
import Foundation
import Glibc
import Synchronization

// Domains that begin with a tree that somebody has.
extension DomainRegistry {
    /// Adds a domain and takes over a tree for it, which is not where it was from then on. Returns when that is durable;
    /// what is in it comes bit by bit, and is offered to the extension.
    package func importDomain(_ record: DomainRecord, from source: String) async throws {
        let domain = record.identifier
        try await turns.alone(with: domain) {
            guard stored(domain) == nil else { throw CocoaError(.fileWriteFileExists) }
            let source = try importable(source)
            try requireRoom(for: domain)
            try await claimingPlace(for: record) { place in
                let stored = StoredDomain(record: record.fresh, place: place)
                try await begin(stored, with: source)
            }
        }
        tell()
    }

    private func begin(_ stored: StoredDomain, with source: String) async throws {
        var isMoved = false
        do {
            try shelf.noteArrival(from: source, of: stored.identifier)
            try shelf.store(stored)
            isMoved = try take(source, for: stored)
            if isMoved {
                try synchronizeNames(of: source, stored)
            } else {
                try await copy(source, for: stored)
            }
            // From here on the tree is the domain's.
            try shelf.forgetArrival(of: stored.identifier)
        } catch {
            giveBack(source, of: stored, isMoved: isMoved)
            let isFull = (error as? FileError)?.isOutOfSpace ?? false
            throw isFull ? CocoaError(.fileWriteOutOfSpace) : error
        }
        state.withLock { $0.domains[stored.identifier] = stored }
        if !isMoved { await removeOriginal(source, of: stored) }
        do {
            try await host(stored)
        } catch {
            // The domain is there with all that is in it, and comes at the next start.
            world.log.error(
                "an imported domain cannot be hosted yet",
                ["domain": .text(stored.identifier.rawValue), "error": .text("\(error)")])
        }
    }

    /// What a process had begun that is dead: with the tree, the domain is there; without it, it never was.
    func resumeImport(of domain: StoredDomain) async throws {
        let identifier = domain.identifier
        let isTaken = try world.files.factsIfAny(of: top(of: domain)) != nil
        if try !isTaken && isUntouched(domain) {
            try shelf.remove(identifier)
            state.withLock { _ = $0.domains.removeValue(forKey: identifier) }
            return
        }
        var stored = domain
        stored.arrival = nil
        try shelf.forgetArrival(of: identifier)
        if let source = domain.arrival, try world.files.factsIfAny(of: source) != nil {
            world.log.warning(
                "a tree was copied for a domain; what is left of it stays where it is",
                ["domain": .text(identifier.rawValue), "folder": .text(source)])
        }
        let ready = stored
        state.withLock { $0.domains[identifier] = ready }
        try await host(stored)
    }

    /// Whether nothing is in a domain's folder but what an import makes before it takes anything over.
    private func isUntouched(_ domain: StoredDomain) throws(FileError) -> Bool {
        try ArrivingTree.isOnlyBegun(
            inReplica: shelf.replica(of: domain.identifier), world.files)
    }

    private func top(of domain: StoredDomain) -> String {
        ArrivingTree.top(inReplica: shelf.replica(of: domain.identifier))
    }

    // MARK: The tree

    /// The path of a folder that may be taken away.
    private func importable(_ source: String) throws -> String {
        guard let facts = try world.files.factsIfAny(of: source) else {
            throw CocoaError(.fileNoSuchFile)
        }
        guard facts.kind == .folder else { throw POSIXError(.ENOTDIR) }
        let own =
            [settings.folder]
            + state.withLock { state in
                state.domains.values.map { "\(settings.places)/\($0.place)" }
            }
        let tree = components(source)
        let isOurs = own.map(components).contains { own in
            own.starts(with: tree) || tree.starts(with: own)
        }
        guard !isOurs, !components(settings.places).starts(with: tree) else {
            throw CocoaError(.featureUnsupported)
        }
        return source
    }

    private func components(_ path: String) -> [String] {
        URL(fileURLWithPath: path).resolvingSymlinksInPath().pathComponents
    }

    /// Moves it to where the replica looks for it.
    /// - Returns: false where it lies on another volume.
    private func take(_ source: String, for domain: StoredDomain) throws -> Bool {
        let folders = ArrivingTree.folders(inReplica: shelf.replica(of: domain.identifier))
        try world.files.makeFolder(folders)
        return try rename(source, to: top(of: domain))
    }

    private func synchronizeNames(of source: String, _ domain: StoredDomain) throws(FileError) {
        let above = URL(fileURLWithPath: source).deletingLastPathComponent().path
        let folders = ArrivingTree.folders(inReplica: shelf.replica(of: domain.identifier))
        for folder in [folders, above] { try world.files.synchronizeFolder(folder) }
    }

    /// - Returns: false between two volumes.
    private func rename(_ path: String, to target: String) throws(FileError) -> Bool {
        do throws(FileError) {
            try world.files.rename(path, to: target)
            return true
        } catch  where error.code == EXDEV {
            return false
        }
    }

    private func copy(_ source: String, for domain: StoredDomain) async throws {
        let files = world.files
        let replica = shelf.replica(of: domain.identifier)
        let draft = ArrivingTree.folder(inReplica: replica) + "/draft"
        let tree = CopiedTree(original: source, copy: draft, files: files)
        let disk = try files.openDisk(holding: ArrivingTree.folders(inReplica: replica))
        try await world.aside {
            try await tree.make()
            try disk.synchronize()
        }
        try files.rename(draft, to: top(of: domain))
        try files.synchronizeFolder(ArrivingTree.folders(inReplica: replica))
    }

    /// Only now that all of the copy is durable.
    private func removeOriginal(_ source: String, of domain: StoredDomain) async {
        let tree = CopiedTree(original: source, copy: top(of: domain), files: world.files)
        let isAllGone = (try? await world.aside { try await tree.removeOriginal() }) ?? false
        if isAllGone { return }
        world.log.warning(
            "not all of an imported tree could be copied or removed; the rest stays where it is",
            ["domain": .text(domain.identifier.rawValue), "folder": .text(source)])
    }

    /// The tree is where it was, and the domain was never there. Where that cannot be said for sure, the domain is
    /// there with all that it has, and is settled by the next start.
    private func giveBack(_ source: String, of domain: StoredDomain, isMoved: Bool) {
        do {
            if isMoved {
                try world.files.renameExclusively(top(of: domain), to: source)
                try synchronizeNames(of: source, domain)
            }
            guard try world.files.factsIfAny(of: source) != nil else {
                throw FileError("find", source, code: ENOENT)
            }
            // A copy of what lies where it always was.
            if !isMoved { try world.files.removeTree(top(of: domain)) }
            guard try isUntouched(domain) else {
                throw FileError("undo the import of", source, code: ENOTEMPTY)
            }
            try shelf.remove(domain.identifier)
        } catch {
            var stored = domain
            stored.arrival = source
            let unsettled = stored
            state.withLock { $0.domains[unsettled.identifier] = unsettled }
            world.log.error(
                "an import that failed cannot be undone; the next start goes on with it",
                ["domain": .text(domain.identifier.rawValue), "error": .text("\(error)")])
        }
    }
}
