import BasketConnection
import BasketModels
import BasketSupport
import Synchronization

/// What folders hold, by name, for the while in which many files of one folder are looked up: when a tree
/// that is on the disk is matched with the server's. Whatever the system is told of an item goes over what was listed:
/// what is told once is not told again when something older comes after it.
final class FolderListings: Sendable {
    private struct Listing {
        let folder: String
        let time: Duration
        let rule: CaseRule
        /// By what makes names the same in the domain.
        private(set) var children: [[UInt8]: ItemInfo] = [:]
        private var keys: [String: [UInt8]] = [:]

        init(of folder: String, at time: Duration, _ rule: CaseRule) {
            self.folder = folder
            self.time = time
            self.rule = rule
        }

        mutating func take(_ item: ItemInfo) {
            remove(item.id)
            guard item.parent == folder, item.deleted == nil else { return }
            let key = rule.collisionKey(of: item.name)
            if let other = children[key] { keys[other.id] = nil }
            children[key] = item
            keys[item.id] = key
        }

        mutating func remove(_ item: String) {
            guard let key = keys.removeValue(forKey: item) else { return }
            children[key] = nil
        }
    }

    private enum News {
        case told(ItemInfo)
        case deleted(String)
    }

    private struct State {
        var listings: [Listing] = []
        /// What was told while a folder was being listed: the list may be older.
        var news: [Int: [News]] = [:]
        var last = 0
    }

    private static let mostListings = 4
    private static let shelfLife = Duration.seconds(10)

    private let world: World
    private let state = Mutex(State())

    init(world: World) {
        self.world = world
    }

    /// Before the system is told what these items are.
    func note(_ items: [ItemInfo]) {
        note(items.lazy.map { News.told($0) })
    }

    /// Before the system is told that there is no such item any more.
    func note(deleted item: String) {
        note(CollectionOfOne(News.deleted(item)))
    }

    private func note(_ news: some Collection<News>) {
        let now = world.uptime()
        state.withLock { state in
            Self.expire(&state, now)
            for listing in state.news.keys { state.news[listing]?.append(contentsOf: news) }
            for index in state.listings.indices {
                for news in news { Self.apply(news, to: &state.listings[index]) }
            }
        }
    }

    private static func expire(_ state: inout State, _ now: Duration) {
        state.listings.removeAll { now - $0.time > shelfLife }
    }

    private static func apply(_ news: News, to listing: inout Listing) {
        switch news {
        case .told(let item): listing.take(item)
        case .deleted(let item): listing.remove(item)
        }
    }

    func child(
        _ name: String, of folder: String, _ session: ProviderSession
    ) async throws -> ItemInfo? {
        let rule = try await session.facts().caseRule
        let key = rule.collisionKey(of: name)
        let now = world.uptime()
        let known = state.withLock { state in
            Self.expire(&state, now)
            return state.listings.first { $0.folder == folder }?.children
        }
        if let known { return known[key] }
        return try await list(Listing(of: folder, at: now, rule), session).children[key]
    }

    private func list(_ listing: Listing, _ session: ProviderSession) async throws -> Listing {
        var listing = listing
        let number = state.withLock { state in
            state.last += 1
            state.news[state.last] = []
            return state.last
        }
        defer { state.withLock { $0.news[number] = nil } }
        var cursor: String?
        repeat {
            let page = try await session.call { [cursor] connection, domain in
                try await connection.children(of: listing.folder, in: domain, cursor: cursor)
            }
            for item in page.items { listing.take(item) }
            cursor = page.next
        } while cursor != nil
        return state.withLock { state in
            for news in state.news[number] ?? [] { Self.apply(news, to: &listing) }
            state.listings.removeAll { $0.folder == listing.folder }
            if state.listings.count == Self.mostListings { state.listings.removeFirst() }
            state.listings.append(listing)
            return listing
        }
    }
}
