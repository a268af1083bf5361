import BasketSupport
import FileProvider
import FileProviderReplica
import Foundation
import Synchronization

// What is known, and told without asking anybody.
extension ControlDesk {
    func status(_ request: ControlRequest) throws -> Status {
        let failure = host.state.withLock { $0.failure }
        let isAtRest = try host.isAtRest()
        let limit = request.wantedEntries
        let undownloaded = host.undownloaded(limit: limit)
        return try host.replica.read { reader in
            let disconnection = try reader.disconnection()
            let held = try reader.heldRemovals()
            let pending = try reader.pendingCount()
            let rescued = try reader.rescuedCount()
            let troubled = try reader.troubled(limit: limit).map { try ItemState($0, reader) }
            let missing = try undownloaded.compactMap { id, trouble in
                try reader.node(id).map { try ItemState($0, reader, download: trouble) }
            }
            return Status(
                isConnected: disconnection == nil, reason: disconnection?.reason,
                stage: "\(try reader.stage())",
                isSafe: isAtRest && failure == nil && disconnection == nil && rescued == 0,
                pending: pending, heldRemovals: held, rescued: rescued,
                bytesHere: try reader.bytesHere(),
                uploads: TransferState(host.totals(of: .uploading)),
                downloads: TransferState(host.totals(of: .downloading)),
                transfers: try moving(limit, reader),
                failure: failure.map { ControlError($0.error, nil) },
                troubles: Array((troubled + missing).prefix(limit)))
        }
    }

    private func moving(_ limit: Int, _ reader: ReplicaReader) throws -> [MovingItem] {
        let directions = [(true, host.calls.uploads), (false, host.calls.downloads)]
        let all = try directions.flatMap { isUpload, transfers in
            try transfers.items.map { name, bytes, completed in
                MovingItem(
                    item: try MovingItem.node(name, reader).map { try ItemSummary($0, reader) },
                    isUpload: isUpload, bytes: bytes, completedBytes: completed)
            }
        }
        return Array(all.prefix(limit))
    }

    func story(_ request: ControlRequest) throws -> ItemStory {
        let id = try node(of: request).id
        let (transfers, marks) = (try host.transfers(of: id), try host.decorations(of: id))
        let isOpen = host.openContents.isOpen(id)
        let flaws = try host.replica.read { try $0.node(id) }.map {
            try host.ignoreLists.flaws(of: $0)
        }
        let download = host.state.withLock { $0.fetchFailures[id]?.trouble }
        return try host.replica.read { reader in
            guard let node = try reader.node(id) else { throw LocalError.notFound }
            return ItemStory(
                state: try ItemState(node, reader, download: download),
                report: try DiagnosticReport(of: node, because: nil, reader),
                policy: "\(try reader.policy(of: id))", keeps: try keeps(node, isOpen, reader),
                isOpen: isOpen, isHeld: try reader.isHeld(removalOf: id),
                transfers: transfers.map(ItemStory.Transfer.init),
                decorations: marks.map(ShownMark.init),
                hydrations: try reader.hydrations(of: id).map { try HydrationEntry($0, reader) },
                flaws: (flaws ?? []).prefix(request.wantedEntries).map(ItemStory.ListFlaw.init))
        }
    }

    /// The provider is not asked to list what is not: whoever only looks brings nothing about.
    func children(_ request: ControlRequest) throws -> FolderPage {
        let folder = try node(of: request).id
        let limit = request.wantedEntries
        let failures = host.state.withLock { $0.fetchFailures }
        return try host.replica.read { reader in
            guard let node = try reader.node(folder) else { throw LocalError.notFound }
            func state(_ node: StoredNode) throws -> ChildState {
                try ChildState(node, reader, download: failures[node.id]?.trouble)
            }
            let children =
                node.kind == .folder
                ? try reader.children(of: folder, after: request.after, limit: limit) : []
            return FolderPage(
                item: try state(node), isListed: node.isListed,
                entries: try children.map(state),
                next: children.count == limit ? children.last?.trees.local?.name : nil)
        }
    }

    /// Why bytes are here that somebody may want the room of.
    private func keeps(
        _ node: StoredNode, _ isOpen: Bool, _ reader: ReplicaReader
    ) throws -> CachedContent.Reason? {
        guard node.here > 0 else { return nil }
        if isOpen { return .inUse }
        return switch try reader.reasonToKeep(node) {
        case .unsynced: .unsent
        case .onlyHere: .onlyHere
        case .inUse: .inUse
        case .pinned: .pinned
        case .rules: .rules
        case nil: .mayGo
        }
    }

    func members(of set: ItemSet, _ request: ControlRequest) throws -> Listed<ItemState> {
        let (position, limit) = (try request.position(), request.wantedEntries)
        return try host.replica.read { reader in
            let members = try reader.members(of: set, after: position, limit: limit)
            return Listed(
                try members.compactMap { try $0.node.map { try ItemState($0, reader) } },
                next: members.count == limit ? members.last.map { "\($0.position)" } : nil)
        }
    }

    func cache(_ request: ControlRequest) throws -> Listed<CachedContent> {
        let last = try request.after.map { text throws(ControlError) in
            try CachedContent.place(text)
        }
        let limit = request.wantedEntries
        return try host.replica.read { reader in
            let contents = try reader.contentsHere(after: last, limit: limit)
            let entries: [CachedContent] = try contents.compactMap { content in
                guard let node = try reader.node(content.node),
                    let reason = try keeps(node, host.openContents.isOpen(node.id), reader)
                else { return nil }
                return CachedContent(
                    item: try ItemSummary(node, reader), bytes: content.bytes,
                    lastUsed: content.opened?.rfc3339, reason: reason)
            }
            return Listed(
                entries,
                next: contents.count == limit ? contents.last.map(CachedContent.place) : nil)
        }
    }

    func hydrations(_ request: ControlRequest) throws -> Listed<HydrationEntry> {
        let place = try request.after.map { text throws(ControlError) in
            try HydrationEntry.place(text)
        }
        let limit = request.wantedEntries
        return try host.replica.read { reader in
            let hydrations = try reader.hydrations(after: place, limit: limit)
            return Listed(
                try hydrations.map { try HydrationEntry($0, reader) },
                next: hydrations.count == limit
                    ? hydrations.last.map { HydrationEntry.place($0.place) } : nil)
        }
    }

    func rescued(_ request: ControlRequest) throws -> Listed<RescuedEntry> {
        let (position, limit) = (try request.position(), request.wantedEntries)
        let contents = host.replica.contents
        return try host.replica.read { reader in
            let kept = try reader.rescued(after: position, limit: limit)
            return Listed(
                kept.map { RescuedEntry($0, at: contents.path($0.file)) },
                next: kept.count == limit ? kept.last.map { "\($0.file)" } : nil)
        }
    }

    /// It takes as long as it takes: nothing is kept by it.
    func check(_ request: ControlRequest) async throws -> Listed<ProblemEntry> {
        let replica = host.replica
        let problems = try await host.world.aside {
            var check = ReplicaCheck(of: replica)
            return try await check.run(isQuick: request.isQuick == true)
        }
        return try replica.read { reader in
            Listed(try problems.map { try ProblemEntry($0, reader) }, next: nil)
        }
    }

    func removals(_ request: ControlRequest) throws -> Listed<ItemState> {
        let (position, limit) = (try request.position(), request.wantedEntries)
        return try host.replica.read { reader in
            let held = try reader.heldRemovals(
                after: NodeID(rawValue: position), limit: limit)
            return Listed(
                try held.map { try ItemState($0, reader) },
                next: held.count == limit ? held.last.map { "\($0.id.rawValue)" } : nil)
        }
    }
}
