import BasketSupport
import FileProviderReplica
import Synchronization

// The small files of a folder that a program reads one after another are fetched before it asks for them.
extension DomainHost {
    /// From where in a folder on, and how many.
    struct FilesAhead: Sendable {
        var folder: NodeID
        var name: String
        var count: Int
    }

    /// So many folders are remembered until somebody has time for them.
    private static let mostAhead = 16

    /// A program reads a file, and others may be brought here for it.
    func noteRead(of id: NodeID, by program: Program) {
        // Nothing is lost where that cannot be known.
        guard let node = try? replica.read({ try $0.node(id) }), let local = node.trees.local,
            node.size <= settings.smallContent
        else { return }
        let now = world.uptime()
        let begins = state.withLock { state in
            let count = state.folderReads.note(id, in: local.parent, by: program, at: now)
            guard count > 0 else { return false }
            state.ahead.removeAll { $0.folder == local.parent }
            if state.ahead.count == Self.mostAhead { state.ahead.removeFirst() }
            state.ahead.append(
                FilesAhead(folder: local.parent, name: local.name, count: count))
            return true
        }
        if begins { replica.changes.poke() }
    }

    /// What cannot be had is left to who asks for it.
    func fetchAhead() async {
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                let count = replica.changes.count
                let next: FilesAhead? = state.withLock { state in
                    state.ahead.isEmpty ? nil : state.ahead.removeFirst()
                }
                guard let next else {
                    await replica.changes.wait(since: count)
                    continue
                }
                do {
                    for id in try files(next) {
                        group.addTask { await self.tryToFetchAhead(id) }
                    }
                } catch {
                    world.log.warning("nothing is fetched ahead", ["error": .text("\(error)")])
                }
            }
        }
    }

    private func tryToFetchAhead(_ id: NodeID) async {
        // Whoever asks for it while it stands in line needs not wait for that.
        try? await slots.take(.smallDownload) { try await materialise(id, in: nil) }
    }

    /// Those that are not here, as far as there is more than enough room for them.
    private func files(_ ahead: FilesAhead) throws -> [NodeID] {
        guard try calls.isConnected() else { return [] }
        let children = try replica.read {
            try $0.children(of: ahead.folder, after: ahead.name, limit: ahead.count)
        }
        let fetching = state.withLock { $0.fetching }
        var bytes: Int64 = 0
        let wanted = children.filter { node in
            guard node.kind == .file, node.residence == .dataless, !fetching.contains(node.id),
                node.exclusion == .no, node.size <= settings.smallContent,
                bytes + node.size <= settings.bytesAhead
            else { return false }
            bytes += node.size
            return true
        }
        return try room.hasPlenty(for: bytes) ? wanted.map(\.id) : []
    }
}
