import BasketSupport
import FileProvider
import FileProviderReplica
import Foundation

// Where items are for people and programs.
extension DomainSystem {
    package func temporaryDirectoryURL(in domain: NSFileProviderDomainIdentifier) throws -> URL {
        URL(fileURLWithPath: folder + "/temporary")
    }

    package func stateDirectoryURL(in domain: NSFileProviderDomainIdentifier) throws -> URL {
        URL(fileURLWithPath: folder + "/state")
    }

    package func userVisibleURL(
        for item: NSFileProviderItemIdentifier, in domain: NSFileProviderDomainIdentifier,
        completionHandler: @escaping @Sendable (Result<URL, any Error>) -> Void
    ) {
        guard place != nil else { return completionHandler(.failure(unsupported())) }
        ask(completionHandler) { host in
            guard let url = try self.userVisibleURL(of: self.localNode(item, host), host) else {
                throw CocoaError(.fileNoSuchFile)
            }
            return url
        }
    }

    /// Where people see an item; nil where they do not.
    func userVisibleURL(of id: NodeID, _ host: DomainHost) throws -> URL? {
        guard let place else { return nil }
        let names = try host.replica.read { reader in
            // What lies in the trash is shown by whoever shows a trash.
            try reader.lies(id, below: .root) ? try reader.path(of: id) : nil
        }
        return names?.reduce(URL(fileURLWithPath: place.folder)) {
            $0.appendingPathComponent($1)
        }
    }

    package func place(
        ofUserVisibleFileAt url: URL,
        completionHandler: @escaping @Sendable (Result<UserVisiblePlace, any Error>) -> Void
    ) {
        guard let place else { return completionHandler(.failure(unsupported())) }
        ask(completionHandler) { host in
            guard let node = try self.node(at: url, in: place, host), let item = node.identifier
            else { throw CocoaError(.fileNoSuchFile) }
            return UserVisiblePlace(item: item, domain: place.domain)
        }
    }

    package func services(
        forItemAt url: URL,
        completionHandler: @escaping @Sendable (Result<[NSFileProviderService], any Error>) -> Void
    ) {
        guard let place else { return completionHandler(.failure(unsupported())) }
        ask(completionHandler) { host in
            guard let node = try self.node(at: url, in: place, host), let item = node.identifier
            else { throw CocoaError(.fileNoSuchFile) }
            return try await host.services(for: item, includingRestricted: false)
        }
    }

    package func service(
        named name: NSFileProviderServiceName, for item: NSFileProviderItemIdentifier,
        in domain: NSFileProviderDomainIdentifier,
        completionHandler: @escaping @Sendable (Result<NSFileProviderService?, any Error>) -> Void
    ) {
        ask(completionHandler) { host in
            _ = try self.node(item, host)
            return try await host.services(for: item, includingRestricted: true)
                .first { $0.name == name }
        }
    }

    /// What people see under a URL; nil outside the domain.
    private func node(at url: URL, in place: Place, _ host: DomainHost) throws -> StoredNode? {
        let folder = URL(fileURLWithPath: place.folder).standardizedFileURL.pathComponents
        let path = url.standardizedFileURL.pathComponents
        guard url.isFileURL, path.starts(with: folder) else { return nil }
        return try host.replica.read { reader in
            var node = try reader.node(.root)
            for name in path.dropFirst(folder.count) {
                node = try node.flatMap { try reader.child(name, of: $0.id) }
            }
            return node
        }
    }
}
