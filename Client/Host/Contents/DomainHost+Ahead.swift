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
    func noteRead(of content: OpenContent, by program: Program) {
        // As it was when it was opened: to look once more would keep each reader waiting for the database.
        let (id, seen) = content.state.withLock { ($0.node, $0.seen) }
        noteReadInPackage(id)
        guard seen.size <= settings.smallContent else { return }
        let now = world.uptime()
        let news: AsyncStream<Void>.Continuation? = state.withLock { state in
            let count = state.folderReads.note(id, in: seen.parent, by: program, at: now)
            guard count > 0 else { return nil }
            state.ahead.removeAll { $0.folder == seen.parent }
            if state.ahead.count == Self.mostAhead { state.ahead.removeFirst() }
            state.ahead.append(
                FilesAhead(folder: seen.parent, name: seen.name, count: count))
            return state.aheadNews
        }
        news?.yield()
    }

    /// What cannot be had is left to who asks for it.
    func fetchAhead() async {
        // A program waits for it, whatever others do meanwhile.
        let (news, continuation) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        state.withLock { $0.aheadNews = continuation }
        // Somebody may have read before that.
        continuation.yield()
        await withDiscardingTaskGroup { group in
            for await _ in news {
                while let next = takeAhead() {
                    do {
                        for id in try files(next) {
                            state.withLock { _ = $0.fetchingAhead.insert(id) }
                            group.addTask {
                                await self.tryToFetchAhead(id)
                                self.state.withLock { _ = $0.fetchingAhead.remove(id) }
                            }
                        }
                    } catch {
                        world.log.warning(
                            "nothing is fetched ahead", ["error": .text("\(error)")])
                    }
                }
            }
        }
    }

    private func takeAhead() -> FilesAhead? {
        state.withLock { $0.ahead.isEmpty ? nil : $0.ahead.removeFirst() }
    }

    private func tryToFetchAhead(_ id: NodeID) async {
        // Whoever asks for it while it stands in line needs not wait for that.
        try? await slots.take(.smallDownload) { try await materialiseUnawaited(id) }
    }

    /// Those that are not here, nor asked for, as far as there is more than enough room for them.
    private func files(_ ahead: FilesAhead) throws -> [NodeID] {
        guard try calls.isConnected() else { return [] }
        let children = try replica.read {
            try $0.children(of: ahead.folder, after: ahead.name, limit: ahead.count)
        }
        let known = state.withLock { $0.fetching.union($0.wanting).union($0.fetchingAhead) }
        var bytes: Int64 = 0
        let wanted = children.filter { node in
            guard node.kind == .file, node.residence == .dataless, !known.contains(node.id),
                node.exclusion == .no, node.size <= settings.smallContent,
                bytes + node.size <= settings.bytesAhead
            else { return false }
            bytes += node.size
            return true
        }
        return try room.hasPlenty(for: bytes) ? wanted.map(\.id) : []
    }
}
