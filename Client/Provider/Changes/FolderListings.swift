import BasketConnection
import BasketModels
import BasketSupport
import Synchronization

/// What folders hold, by name, for the while in which many files of one folder are looked up: when a tree
/// that is on the disk is matched with the server's. Whatever the system has been told of since a folder was listed is
/// looked up anew: what is told once is not told again when something older comes after it.
final class FolderListings: Sendable {
    private struct State {
        /// The oldest first, with those that are on their way.
        var listings: [FolderListing] = []
        var last = 0
    }

    private static let mostListings = 4

    private let world: World
    private let state = Mutex(State())

    init(world: World) {
        self.world = world
    }

    /// Before the system is told what these items are.
    func note(_ items: [ItemInfo]) {
        note { listing in
            for item in items { listing.note(item) }
        }
    }

    /// Before the system is told that there is no such item any more.
    func note(deleted item: String) {
        note { $0.note(deleted: item) }
    }

    /// Before the system is told of all that is in a folder, or of all that there is: nobody says then of what was
    /// deleted earlier that it is gone.
    func note(all folder: String?) {
        note { $0.note(all: folder) }
    }

    private func note(_ news: (inout FolderListing) -> Void) {
        let now = world.uptime()
        state.withLock { state in
            for index in state.listings.indices { news(&state.listings[index]) }
            Self.tidy(&state, now)
        }
    }

    private static func tidy(_ state: inout State, _ now: Duration) {
        state.listings.removeAll { $0.isOver(at: now) }
    }

    func child(
        _ name: String, of folder: String, _ session: ProviderSession
    ) async throws -> ItemInfo? {
        let rule = try await session.facts().caseRule
        let key = rule.collisionKey(of: name)
        let now = world.uptime()
        let known: FolderListing.Child? = state.withLock { state in
            Self.tidy(&state, now)
            return state.listings.lazy.compactMap { $0.child(key, of: folder) }.first
        }
        if let known { return known.item }
        let number = state.withLock { state in
            state.last += 1
            state.listings.append(
                FolderListing(number: state.last, folder: folder, rule: rule))
            return state.last
        }
        do {
            let items = try await list(folder, session)
            return keep(items, number)[key]
        } catch {
            state.withLock { $0.listings.removeAll { $0.number == number } }
            throw error
        }
    }

    private func list(
        _ folder: String, _ session: ProviderSession
    ) async throws -> [ItemInfo] {
        var items: [ItemInfo] = []
        var cursor: String?
        repeat {
            let page = try await session.call { [cursor] connection, domain in
                try await connection.children(of: folder, in: domain, cursor: cursor)
            }
            items += page.items
            cursor = page.next
        } while cursor != nil
        return items
    }

    /// - Returns: what was in the folder just now.
    private func keep(_ items: [ItemInfo], _ number: Int) -> [[UInt8]: ItemInfo] {
        let now = world.uptime()
        return state.withLock { state in
            guard let index = state.listings.firstIndex(where: { $0.number == number })
            else { return [:] }
            var listing = state.listings.remove(at: index)
            listing.fill(items, at: now)
            state.listings.removeAll { $0.folder == listing.folder && $0.children != nil }
            let kept = state.listings.indices.filter { state.listings[$0].children != nil }
            if kept.count >= Self.mostListings, let oldest = kept.first {
                state.listings.remove(at: oldest)
            }
            state.listings.append(listing)
            Self.tidy(&state, now)
            return listing.children ?? [:]
        }
    }
}
