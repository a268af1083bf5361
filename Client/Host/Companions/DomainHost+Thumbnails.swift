import BasketSupport
import FileProvider
import FileProviderReplica
import Foundation
import Synchronization

// Pictures of what is not here.
extension DomainHost {
    /// Pictures of items, from the extension; nil for an item that has none. One that it has given before is not
    /// asked for again while the content stays the same. What has failed is not in it, unless all did.
    package func thumbnails(of items: [NodeID], size: CGSize) async throws -> [NodeID: Data?] {
        try await calls.whenSettled {
            try await waitForNames(of: items)
            return try await thumbnailsNow(of: items, size: size)
        }
    }

    private func thumbnailsNow(
        of items: [NodeID], size: CGSize
    ) async throws -> [NodeID: Data?] {
        var found: [NodeID: Data?] = [:]
        var missing: [NSFileProviderItemIdentifier: (id: NodeID, key: ThumbnailCache.Key)] = [:]
        var asked: [NSFileProviderItemIdentifier] = []
        for id in items {
            guard let node = try replica.read({ try $0.node(id) }), let item = node.identifier
            else { throw LocalError.notFound }
            let key = ThumbnailCache.Key(
                item: item, version: node.baseVersion.contentVersion, width: size.width,
                height: size.height)
            if let known = thumbnailCache.picture(key, at: world.uptime()) {
                found[id] = known
            } else if missing.updateValue((id, key), forKey: item) == nil {
                asked.append(item)
            }
        }
        guard !asked.isEmpty else { return found }
        let answers = Mutex<[NSFileProviderItemIdentifier: Result<Data?, any Error>]>([:])
        do {
            try await calls.fetchThumbnails(of: asked, size: size) { item, result in
                answers.withLock { $0[item] = result }
            }
        } catch {
            // What had come by then is as good as ever.
            if answers.withLock({ $0.isEmpty }) { throw error }
        }
        for item in asked {
            guard let (id, key) = missing[item],
                case .success(let picture)? = answers.withLock({ $0[item] })
            else { continue }
            thumbnailCache.keep(picture, for: key, at: world.uptime())
            found[id] = picture
        }
        return found
    }
}
