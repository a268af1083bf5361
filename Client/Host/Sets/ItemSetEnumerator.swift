import FileProvider
import FileProviderReplica
import Foundation
import Synchronization

/// Lists one of the sets that the system keeps, for an extension or its tools. It answers at once, from the
/// replica.
final class ItemSetEnumerator: NSObject, NSFileProviderPendingSetEnumerator {
    private struct State {
        weak var host: DomainHost?
        var version: NSFileProviderDomainVersion?
    }

    private let set: ItemSet
    private let state: Mutex<State>

    private static let largestPage = 1000

    /// It does not keep the host alive.
    init(_ set: ItemSet, of host: DomainHost?) {
        self.set = set
        state = Mutex(State(host: host))
    }

    var domainVersion: NSFileProviderDomainVersion? { state.withLock { $0.version } }

    var refreshInterval: TimeInterval {
        let interval = state.withLock { $0.host }?.settings.setInterval ?? .zero
        return interval / .seconds(1)
    }

    var isMaximumSizeReached: Bool {
        let host = state.withLock { $0.host }
        // A replica that cannot be read says so when it is enumerated.
        return (try? host?.replica.read { try $0.state(of: set).isFull }) ?? false
    }

    func invalidate() {
        state.withLock { $0.host = nil }
    }

    func enumerateItems(
        for observer: any NSFileProviderEnumerationObserver, startingAt page: NSFileProviderPage
    ) {
        do {
            let size = Self.size(observer.suggestedPageSize)
            let (items, next) = try read { reader in
                let start = try ItemSetPosition(page: page, of: reader.identity())
                let members = try reader.members(of: set, after: start.number, limit: size)
                let items = try members.compactMap { try $0.node.flatMap(reader.item) }
                let next = members.count < size ? nil : members.last?.position
                return (items, try next.map { ItemSetPosition($0, of: try reader.identity()) })
            }
            observer.didEnumerate(items)
            observer.finishEnumerating(upTo: next.map { NSFileProviderPage($0.bytes) })
        } catch {
            observer.finishEnumeratingWithError(error)
        }
    }

    func enumerateChanges(
        for observer: any NSFileProviderChangeObserver, from syncAnchor: NSFileProviderSyncAnchor
    ) {
        do {
            let size = Self.size(observer.suggestedBatchSize)
            let (members, items, anchor) = try read { reader in
                let start = try ItemSetPosition(anchor: syncAnchor, of: reader.identity())
                let known = try reader.state(of: set)
                guard (known.forgotten...known.rank).contains(start.number) else {
                    throw NSFileProviderError(.syncAnchorExpired)
                }
                let members = try reader.changes(of: set, after: start.number, limit: size)
                let items = try members.compactMap { try $0.node.flatMap(reader.item) }
                let end = members.count < size ? known.rank : members.last?.position
                return (
                    members, items,
                    ItemSetPosition(end ?? known.rank, of: try reader.identity())
                )
            }
            observer.didUpdate(items)
            observer.didDeleteItems(
                withIdentifiers: members.filter { $0.node == nil }.map(\.identifier))
            observer.finishEnumeratingChanges(
                upTo: NSFileProviderSyncAnchor(anchor.bytes), moreComing: members.count == size)
        } catch {
            observer.finishEnumeratingWithError(error)
        }
    }

    func currentSyncAnchor(
        completionHandler: @escaping @Sendable (NSFileProviderSyncAnchor?) -> Void
    ) {
        let anchor = try? read { reader in
            ItemSetPosition(try reader.state(of: set).rank, of: try reader.identity())
        }
        completionHandler(anchor.map { NSFileProviderSyncAnchor($0.bytes) })
    }

    private static func size(_ suggested: Int?) -> Int {
        min(max(suggested ?? 1, 1), largestPage)
    }

    /// Reads one state of the replica, and notes which version of the domain that is of.
    private func read<Result>(_ body: (ReplicaReader) throws -> Result) throws -> Result {
        guard let host = state.withLock({ $0.host }) else {
            throw NSFileProviderError(.providerDomainTemporarilyUnavailable)
        }
        let (result, version) = try host.replica.read { reader in
            (try body(reader), try reader.state(of: set).version)
        }
        state.withLock { state in
            state.version = version.flatMap(NSFileProviderDomainVersion.init(stored:))
        }
        return result
    }
}
