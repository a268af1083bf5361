import BasketConnection
import BasketModels
import FileProvider
import Foundation

/// Tells of everything in the domain, and of what changes in it.
///
/// Pages and anchors are places in the server's change feed, which begins with everything that there is,
/// folders before what is in them: so a first enumeration goes on after a restart where it was.
final class WorkingSetEnumerator: NSObject, NSFileProviderEnumerator, Sendable {
    private let session: ProviderSession
    private let calls: CallRegistry

    /// What the server gives at once.
    private static let mostChanges = 2000
    /// Items are asked for one by one where only their marks changed.
    private static let mostMarks = 100

    init(session: ProviderSession) {
        self.session = session
        calls = CallRegistry(world: session.world)
    }

    func invalidate() {
        calls.close()
    }

    // MARK: Everything

    func enumerateItems(
        for observer: any NSFileProviderEnumerationObserver, startingAt page: NSFileProviderPage
    ) {
        let start = PageStart(page)
        let size: Int = observer.suggestedPageSize ?? 0
        _ = calls.begin { _ in
            try await self.page(start, size)
        } finish: { result in
            switch result {
            case .success(let (items, next)):
                observer.didEnumerate(items)
                observer.finishEnumerating(upTo: next)
            case .failure(let error): observer.finishEnumeratingWithError(error)
            }
        }
    }

    private func page(
        _ start: PageStart, _ suggestedSize: Int
    ) async throws -> ([BasketItem], NSFileProviderPage?) {
        let facts = try await session.facts()
        let found = try await session.changes(
            since: start.token, limit: Self.limit(suggestedSize))
        session.listings.note(all: nil)
        let items = found.items.filter { $0.deleted == nil }.map { item($0, facts) }
        return (items, found.more ? try start.next(found.anchor) : nil)
    }

    // MARK: Changes

    func enumerateChanges(
        for observer: any NSFileProviderChangeObserver, from syncAnchor: NSFileProviderSyncAnchor
    ) {
        let anchor = WorkingSetAnchor(syncAnchor.rawValue)
        let size: Int = observer.suggestedBatchSize ?? 0
        _ = calls.begin { _ in
            guard let anchor else { throw NSFileProviderError(.syncAnchorExpired) }
            return try await self.changes(since: anchor, size)
        } finish: { result in
            switch result {
            case .success(let changes):
                if !changes.deleted.isEmpty {
                    observer.didDeleteItems(withIdentifiers: changes.deleted)
                }
                if !changes.updated.isEmpty { observer.didUpdate(changes.updated) }
                observer.finishEnumeratingChanges(
                    upTo: changes.anchor, moreComing: changes.more)
            case .failure(let error): observer.finishEnumeratingWithError(error)
            }
        }
    }

    private struct Changes: Sendable {
        var updated: [BasketItem] = []
        var deleted: [NSFileProviderItemIdentifier] = []
        let anchor: NSFileProviderSyncAnchor
        let more: Bool
    }

    private func changes(
        since anchor: WorkingSetAnchor, _ suggestedSize: Int
    ) async throws -> Changes {
        let facts = try await session.facts()
        // Everything is told again: the items that are known may be written to now, or no more.
        guard anchor.terms == facts.terms else { throw NSFileProviderError(.syncAnchorExpired) }
        let found = try await session.changes(
            since: anchor.server, limit: Self.limit(suggestedSize))
        // Marks come after what the server tells: only then is every item known that they are on.
        let marks =
            found.more
            ? ([], anchor.serial, false)
            : session.device.changed(
                since: anchor.serial, limit: min(Self.mostMarks, max(1, suggestedSize)))
        var changes = Changes(
            anchor: try WorkingSetAnchor(
                server: found.anchor, serial: marks.1, terms: facts.terms,
                isShared: found.more ? anchor.isShared : facts.isShared
            ).syncAnchor(),
            more: found.more || marks.2)
        var told: Set<String> = []
        session.listings.note(found.items)
        for info in found.items {
            told.insert(info.id)
            if info.deleted == nil {
                changes.updated.append(item(info, facts))
            } else {
                changes.deleted.append(NSFileProviderItemIdentifier(server: info.id))
            }
        }
        let isNewlyShared = !found.more && anchor.isShared != facts.isShared
        let alone = marks.0 + (isNewlyShared ? [BasketItem.root] : [])
        for id in alone where told.insert(id).inserted {
            do {
                changes.updated.append(try await session.freshItem(id))
            } catch let error as ConnectionError where Reaction(error) == .forget {
                // The feed tells of that.
            }
        }
        return changes
    }

    func currentSyncAnchor(
        completionHandler: @escaping @Sendable (NSFileProviderSyncAnchor?) -> Void
    ) {
        // What changes from here on is told; marks are seen on the items themselves.
        let serial = session.device.serial
        _ = calls.begin { _ in
            let facts = try await self.session.facts()
            let anchor = try await self.session.call { try await $0.anchor(of: $1) }
            return try WorkingSetAnchor(
                server: anchor, serial: serial, terms: facts.terms, isShared: facts.isShared
            ).syncAnchor()
        } finish: { result in
            switch result {
            case .success(let anchor): completionHandler(anchor)
            // There is no way to say why; the next enumeration does.
            case .failure: completionHandler(nil)
            }
        }
    }

    private func item(_ info: ItemInfo, _ facts: DomainFacts) -> BasketItem {
        BasketItem(info, facts: facts, marks: session.device.marks(of: info.id))
    }

    /// A page is longer than was asked for when an item needs many folders before it: there is room for
    /// that.
    private static func limit(_ suggested: Int) -> Int {
        min(mostChanges, max(1, suggested) * 10)
    }
}
