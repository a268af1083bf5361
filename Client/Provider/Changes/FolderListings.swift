import BasketConnection
import BasketModels
import BasketSupport
import Synchronization

/// What folders hold, by name, for the while in which many files of one folder are looked up: when a tree
/// that is on the disk is matched with the server's. Whoever has been told of anything since then gets it anew: what is
/// told once is not told again when something older comes after it.
final class FolderListings: Sendable {
    private struct Listing {
        let folder: String
        let time: Duration
        let news: Int
        /// By what makes names the same in the domain.
        let children: [[UInt8]: ItemInfo]
    }

    private static let mostListings = 4
    private static let shelfLife = Duration.seconds(10)

    private let session: ProviderSession
    private let listings = Mutex<[Listing]>([])

    init(_ session: ProviderSession) {
        self.session = session
    }

    func child(_ name: String, of folder: String) async throws -> ItemInfo? {
        let now = session.world.uptime()
        let rule = try await session.facts().caseRule
        let key = rule.collisionKey(of: name)
        let news = session.news.now
        let known = listings.withLock { listings in
            listings.removeAll { now - $0.time > Self.shelfLife || $0.news != news }
            return listings.first { $0.folder == folder }
        }
        if let known { return known.children[key] }
        let children = try await list(folder, rule)
        listings.withLock { listings in
            listings.removeAll { $0.folder == folder }
            if listings.count == Self.mostListings { listings.removeFirst() }
            listings.append(Listing(folder: folder, time: now, news: news, children: children))
        }
        return children[key]
    }

    private func list(
        _ folder: String, _ rule: CaseRule
    ) async throws -> [[UInt8]: ItemInfo] {
        var children: [[UInt8]: ItemInfo] = [:]
        var cursor: String?
        repeat {
            let page = try await session.call { [cursor] connection, domain in
                try await connection.children(of: folder, in: domain, cursor: cursor)
            }
            for item in page.items { children[rule.collisionKey(of: item.name)] = item }
            cursor = page.next
        } while cursor != nil
        return children
    }
}
