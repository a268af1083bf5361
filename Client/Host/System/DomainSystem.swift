import BasketSupport
import FileProvider
import FileProviderReplica
import Foundation
import Synchronization

/// What an extension's manager reaches: the system of one domain, in the process that hosts it. What
/// concerns the mount or other domains is not for a host alone to answer, and is refused as unsupported
/// until somebody who can is set before it.
package final class DomainSystem: FileProviderSystem {
    let folder: String
    let world: World
    private let hosted = Mutex<Hosted>(Hosted())

    /// Weak: the host holds the extension, which holds its manager.
    private struct Hosted {
        weak var host: DomainHost?
        var place: Place?
    }

    /// Where people see the domain.
    struct Place: Sendable {
        let domain: NSFileProviderDomainIdentifier
        let folder: String
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

    /// The domain is seen at that folder from now on, or nowhere.
    package func show(_ domain: NSFileProviderDomainIdentifier, at folder: String?) {
        hosted.withLock { hosted in
            hosted.place = folder.map { Place(domain: domain, folder: $0) }
        }
    }

    var place: Place? { hosted.withLock { $0.place } }

    var host: DomainHost? { hosted.withLock { $0.host } }

    func unsupported() -> any Error { CocoaError(.featureUnsupported) }

    /// Does something for the domain, and hands on what comes of it.
    func ask<Value: Sendable>(
        _ completionHandler: @escaping @Sendable (Result<Value, any Error>) -> Void,
        _ work: @escaping @Sendable (DomainHost) async throws -> Value
    ) {
        guard let host else {
            return completionHandler(
                .failure(NSFileProviderError(.providerDomainTemporarilyUnavailable)))
        }
        _ = world.spawn {
            do {
                completionHandler(.success(try await work(host)))
            } catch {
                completionHandler(.failure(error))
            }
        }
    }

    /// Does something for the domain, and tells how it ended.
    func ask(
        _ completionHandler: @escaping Done,
        _ work: @escaping @Sendable (DomainHost) async throws -> Void
    ) {
        ask(
            { (result: Result<Void, any Error>) in
                switch result {
                case .success: completionHandler(nil)
                case .failure(let error): completionHandler(error)
                }
            }, work)
    }

    func node(
        _ identifier: NSFileProviderItemIdentifier, _ host: DomainHost
    ) throws -> NodeID {
        guard let id = try host.replica.read({ try $0.id(of: identifier) }) else {
            throw NSError.fileProviderErrorForNonExistentItem(withIdentifier: identifier)
        }
        return id
    }

    /// One that is here.
    func localNode(
        _ identifier: NSFileProviderItemIdentifier, _ host: DomainHost
    ) throws -> NodeID {
        guard let node = try host.replica.read({ try $0.node(identifier: identifier) }),
            node.trees.local != nil
        else { throw NSError.fileProviderErrorForNonExistentItem(withIdentifier: identifier) }
        return node.id
    }
}
