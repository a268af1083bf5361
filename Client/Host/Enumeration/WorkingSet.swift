import BasketSupport
import FileProvider
import FileProviderReplica
import Foundation

/// Follows the provider's working set: the one way by which changes come from there.
struct WorkingSet: Sendable {
    let replica: Replica
    let calls: ExtensionCalls
    private var provider: any NSFileProviderReplicatedExtension & Sendable { calls.provider }

    /// What is asked for at once; the extension may tell a hundred times as many.
    private static let pageSize = 1000
    /// So many items are written in one transaction, so that others get in between.
    private static let writeSize = 500

    /// Whether it holds everything, so that folders need no listing of their own.
    var isComplete: Bool { provider is any CompleteWorkingSet }

    private func enumerator() throws -> any NSFileProviderEnumerator {
        try provider.enumerator(
            for: .workingSet, request: NSFileProviderRequest(isSystemRequest: true))
    }

    /// Takes in everything that has happened since the last time; returns when there is no more.
    /// - Parameter note: told which items are gone, before that is written.
    func catchUp(
        _ note: @escaping @Sendable ([NSFileProviderItemIdentifier]) -> Void
    ) async throws {
        let enumerator = try enumerator()
        defer { enumerator.invalidate() }
        if isComplete, try !replica.read({ try $0.isFilled() }) { try await fill(enumerator) }
        guard let anchor = try replica.read({ try $0.anchor() }) else {
            // From here on; what was before is told by listings.
            let now = await enumerator.currentSyncAnchor()
            return try await replica.write { try $0.set(anchor: now.map { Array($0.rawValue) }) }
        }
        try await follow(enumerator, from: NSFileProviderSyncAnchor(Data(anchor)), note)
    }

    private func follow(
        _ enumerator: any NSFileProviderEnumerator, from start: NSFileProviderSyncAnchor,
        _ note: @Sendable ([NSFileProviderItemIdentifier]) -> Void
    ) async throws {
        var anchor = start
        while true {
            let batch = try await ChangeCollector.batch(
                of: enumerator, from: anchor, suggesting: Self.pageSize)
            note(
                batch.changes.compactMap {
                    if case .deleted(let identifier) = $0 { identifier } else { nil }
                })
            try await takeIn(batch)
            guard batch.isMoreComing, batch.anchor != anchor else { return }
            anchor = batch.anchor
        }
    }

    /// The anchor comes last of all: a crash before that has the changes told again.
    private func takeIn(_ batch: ChangeCollector.Batch) async throws {
        let isComplete = isComplete
        var strays: [RemoteItem] = []
        for part in batch.changes.parts(of: Self.writeSize) {
            strays += try await replica.write { transaction in
                var strays: [RemoteItem] = []
                for change in part {
                    switch change {
                    case .updated(let item):
                        if try transaction.ingest(item, isListed: isComplete) == nil {
                            strays.append(item)
                        }
                    case .deleted(let identifier): try transaction.forget(identifier)
                    }
                }
                return strays
            }
        }
        try await bringHome(strays)
        let anchor = Array(batch.anchor.rawValue)
        try await replica.write { try $0.set(anchor: anchor) }
    }

    /// Items whose folder nobody has told of: it moved while a listing went on, or nobody has ever looked
    /// there. A node that is known here has not gone because of that, so its folders are asked for, one by
    /// one up to one that is known.
    private func bringHome(_ strays: [RemoteItem]) async throws {
        let isComplete = isComplete
        for stray in strays {
            let isKnown = try replica.read { try $0.id(of: stray.identifier) != nil }
            guard isComplete || isKnown else { continue }
            var chain = [stray]
            while let top = chain.last?.parent, try replica.read({ try $0.id(of: top) == nil }) {
                guard !chain.contains(where: { $0.identifier == top }) else {
                    throw HostError.badEnumeration("item \(top.rawValue) lies in itself")
                }
                do {
                    chain.append(
                        try await calls.item(top, NSFileProviderRequest(isSystemRequest: true)))
                } catch  where Reaction(error).isMissing {
                    // It went meanwhile, with everything in it: that is told, too.
                    chain = []
                }
            }
            let way = Array(chain.reversed())
            try await replica.write { transaction in
                for item in way { try transaction.ingest(item, isListed: isComplete) }
            }
        }
    }

    // MARK: The first time

    /// Enumerates all items, or goes on with that. The anchor is of before it began, so that what changes
    /// meanwhile is told again.
    private func fill(_ enumerator: any NSFileProviderEnumerator) async throws {
        let isComplete = isComplete
        var page = try replica.read { try $0.page() }.map { NSFileProviderPage(Data($0)) }
        if page == nil {
            let anchor = await enumerator.currentSyncAnchor().map { Array($0.rawValue) }
            try await replica.write { transaction in
                try transaction.beginFilling()
                try transaction.set(anchor: anchor)
            }
        }
        let first = NSFileProviderPage(
            Data(referencing: NSFileProviderPage.initialPageSortedByName))
        while true {
            let found = try await PageCollector.page(
                of: enumerator, from: page ?? first, suggesting: Self.pageSize)
            var strays: [RemoteItem] = []
            for part in found.items.parts(of: Self.writeSize) {
                strays += try await replica.write { transaction in
                    try part.filter { try transaction.ingest($0, isListed: isComplete) == nil }
                }
            }
            try await bringHome(strays)
            let next = found.next
            try await replica.write { transaction in
                if let next {
                    try transaction.set(page: Array(next.rawValue))
                } else {
                    try transaction.endFilling()
                }
            }
            guard next != nil else { return }
            page = next
        }
    }
}
