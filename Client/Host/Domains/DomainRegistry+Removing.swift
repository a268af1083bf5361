import BasketSupport
import FileProvider
import Foundation
import Synchronization

// Domains that go.
extension DomainRegistry {
    /// Removes a domain with all that is here of it, but for what is to be kept.
    /// - Returns: where that lies now; nil when there is nothing.
    package func remove(
        _ domain: NSFileProviderDomainIdentifier, mode: NSFileProviderManager.DomainRemovalMode
    ) async throws -> URL? {
        let kept = try await turns.alone(with: domain) {
            var stored = try settled(domain)
            stored.removal = DomainRemoval(mode)
            try put(stored)
            return try await finishRemoval(of: stored)
        }
        tell()
        return kept
    }

    /// What a process had begun that is dead.
    func resumeRemoval(of domain: StoredDomain) async throws {
        _ = try await finishRemoval(of: domain)
    }

    private func finishRemoval(of domain: StoredDomain) async throws -> URL? {
        try await hosting.stop(domain.identifier)
        try leave(domain)
        return nil
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
