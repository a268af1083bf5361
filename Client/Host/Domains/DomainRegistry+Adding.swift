import BasketSupport
import FileProvider
import Foundation
import Synchronization

// Domains that come, and what programs say of them later.
extension DomainRegistry {
    /// Has a new domain hosted, or brings a known one up to date.
    package func add(_ record: DomainRecord) async throws {
        let domain = record.identifier
        try await turns.alone(with: domain) {
            if stored(domain) != nil {
                try await update(settled(domain), to: record)
            } else {
                try await begin(record)
            }
        }
        tell()
    }

    private func begin(_ record: DomainRecord) async throws {
        try await claimingPlace(for: record) { place in
            try requireRoom(for: record.identifier)
            let stored = StoredDomain(record: record.fresh, place: place)
            do {
                try shelf.store(stored)
                try await host(stored)
            } catch {
                await undo(stored)
                throw error
            }
            state.withLock { $0.domains[stored.identifier] = stored }
        }
    }

    /// What an earlier attempt has left and could not be understood is not built upon.
    func requireRoom(for domain: NSFileProviderDomainIdentifier) throws {
        guard try shelf.makesRoom(for: domain) else {
            throw NSFileProviderError(.providerDomainTemporarilyUnavailable)
        }
    }

    /// Nothing was in the domain yet.
    private func undo(_ stored: StoredDomain) async {
        do {
            try await hosting.stop(stored.identifier)
            try shelf.remove(stored.identifier)
            let place = folders(of: stored).place
            if try world.files.factsIfAny(of: place) != nil {
                try world.files.removeFolder(place)
            }
        } catch {
            world.log.warning(
                "a domain that could not be added leaves something behind",
                ["domain": .text(stored.identifier.rawValue), "error": .text("\(error)")])
        }
    }

    private func update(_ before: StoredDomain, to record: DomainRecord) async throws {
        var stored = before
        stored.record.take(record)
        guard stored != before else {
            // Whoever adds a domain wants to see what is in it.
            hosting.system(of: before.identifier)?.signalEnumerator(
                for: .workingSet, in: before.identifier
            ) { _ in }
            return
        }
        guard placeName(for: stored.record) != placeName(for: before.record) else {
            return try await replace(before, by: stored)
        }
        let renamed = stored
        try await claimingPlace(for: renamed.record) { place in
            var stored = renamed
            stored.place = place
            try await replace(before, by: stored)
            // Only an empty folder goes.
            try? world.files.removeFolder(folders(of: before).place)
        }
    }

    private func replace(_ before: StoredDomain, by stored: StoredDomain) async throws {
        // What is in use stays as it is.
        try await hosting.stop(stored.identifier)
        do {
            try put(stored)
        } catch {
            try? await host(before)
            throw error
        }
        try await host(stored)
    }

    // MARK: Places

    /// Does something with a place that nobody else gets meanwhile.
    /// - Throws: `CocoaError(.fileWriteFileExists)` when something is there already.
    func claimingPlace(
        for record: DomainRecord, _ body: (String) async throws -> Void
    ) async throws {
        try requireHome(for: record)
        let name = placeName(for: record)
        let isFree = state.withLock { state in
            guard !state.domains.values.contains(where: { $0.place == name }) else { return false }
            return state.claims.insert(name).inserted
        }
        guard isFree else { throw CocoaError(.fileWriteFileExists) }
        defer { state.withLock { _ = $0.claims.remove(name) } }
        guard try world.files.factsIfAny(of: "\(settings.places)/\(name)") == nil else {
            throw CocoaError(.fileWriteFileExists)
        }
        try await body(name)
    }

    /// Domains lie on one volume, under names that a disk can hold; and none is put over another one's record.
    private func requireHome(for record: DomainRecord) throws {
        if state.withLock({ $0.unavailable[record.identifier] != nil }) {
            throw NSFileProviderError(.providerDomainTemporarilyUnavailable)
        }
        guard DomainShelf.canHold(record.identifier) else {
            throw CocoaError(.fileWriteInvalidFileName)
        }
        if let volume = record.volumeURL, try eligibility(ofVolumeAt: volume) != .eligible {
            throw CocoaError(.featureUnsupported)
        }
    }

    private func placeName(for record: DomainRecord) -> String {
        let name = record.displayName.replacing("/", with: "-").replacing("\0", with: "-")
        let isUsable = CaseRule.posix.problem(with: name) == nil
        return isUsable ? name : record.identifier.rawValue
    }
}

extension DomainRecord {
    /// As a program adds it: what the system says of a domain is not the program's to say.
    var fresh: DomainRecord {
        var record = DomainRecord(identifier: identifier, displayName: displayName)
        record.volumeURL = volumeURL
        record.take(self)
        return record
    }

    /// Takes over what a program may say anew. Nobody takes a test's hands off the domain again.
    fileprivate mutating func take(_ other: DomainRecord) {
        displayName = other.displayName
        isHidden = other.isHidden
        testingModes = other.testingModes.union(testingModes.intersection(.interactive))
        supportsSyncingTrash = other.supportsSyncingTrash
        userInfo = other.userInfo
        supportedKnownFolders = other.supportedKnownFolders
        supportsStringSearchRequest = other.supportsStringSearchRequest
    }
}
