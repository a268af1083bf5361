import BasketSupport
import FileProvider
import Foundation
import Synchronization

// What concerns no domain in particular.
extension DomainRegistry: FileProviderSystem {
    package func add(_ domain: NSFileProviderDomain, completionHandler: @escaping Done) {
        let record = domain.record
        work(completionHandler) { try await self.add(record) }
    }

    package func remove(
        _ domain: NSFileProviderDomain, mode: NSFileProviderManager.DomainRemovalMode,
        completionHandler: @escaping @Sendable (Result<URL?, any Error>) -> Void
    ) {
        let identifier = domain.identifier
        _ = world.spawn {
            do {
                completionHandler(.success(try await self.remove(identifier, mode: mode)))
            } catch {
                completionHandler(.failure(error))
            }
        }
    }

    /// All that can be: the first error is told.
    package func removeAllDomains(completionHandler: @escaping Done) {
        work(completionHandler) {
            var failure: (any Error)?
            let domains = self.state.withLock {
                $0.domains.keys.sorted { $0.rawValue < $1.rawValue }
            }
            for domain in domains {
                do {
                    _ = try await self.remove(domain, mode: .removeAll)
                } catch {
                    failure = failure ?? error
                }
            }
            if let failure { throw failure }
        }
    }

    package func domains(
        completionHandler: @escaping @Sendable (Result<[NSFileProviderDomain], any Error>) -> Void
    ) {
        state.withLock { $0.wasAsked = true }
        completionHandler(
            .success(records().map { NSFileProviderDomain(record: $0, system: self) }))
    }

    package func importDomain(
        _ domain: NSFileProviderDomain, fromDirectoryAt url: URL,
        completionHandler: @escaping Done
    ) {
        let record = domain.record
        guard url.isFileURL else { return completionHandler(CocoaError(.featureUnsupported)) }
        let path = url.standardizedFileURL.path
        work(completionHandler) { try await self.importDomain(record, from: path) }
    }

    package func place(
        ofUserVisibleFileAt url: URL,
        completionHandler: @escaping @Sendable (Result<UserVisiblePlace, any Error>) -> Void
    ) {
        do {
            try system(ofFileAt: url)
                .place(ofUserVisibleFileAt: url, completionHandler: completionHandler)
        } catch {
            completionHandler(.failure(error))
        }
    }

    package func services(
        forItemAt url: URL,
        completionHandler: @escaping @Sendable (Result<[NSFileProviderService], any Error>) -> Void
    ) {
        do {
            try system(ofFileAt: url)
                .services(forItemAt: url, completionHandler: completionHandler)
        } catch {
            completionHandler(.failure(error))
        }
    }

    /// Domains lie on the volume that the registry's own folder lies on.
    package func eligibility(
        ofVolumeAt url: URL
    ) throws -> NSFileProviderManager.EligibilityResult {
        let there = try world.files.facts(of: url.resolvingSymlinksInPath().path)
        let here = try world.files.facts(of: settings.folder)
        return there.device == here.device ? .eligible : .ineligible(.unknown)
    }

    private func system(ofFileAt url: URL) throws -> any FileProviderSystem {
        let path = url.standardizedFileURL.pathComponents
        let places = state.withLock { $0.domains.values.map { ($0.identifier, $0.place) } }
        let home = places.first { _, place in
            let folder = URL(fileURLWithPath: "\(settings.places)/\(place)").standardizedFileURL
            return path.starts(with: folder.pathComponents)
        }
        guard url.isFileURL, let (domain, _) = home else { throw CocoaError(.fileNoSuchFile) }
        return try system(of: domain)
    }

    func work(
        _ completionHandler: @escaping Done, _ body: @escaping @Sendable () async throws -> Void
    ) {
        _ = world.spawn {
            do {
                try await body()
                completionHandler(nil)
            } catch {
                completionHandler(error)
            }
        }
    }
}
