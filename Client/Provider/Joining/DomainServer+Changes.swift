import BasketConnection
import BasketModels

// What changed last.
extension DomainServer {
    /// The newest first, each item once. All of the domain is read for that: the feed begins with the oldest.
    /// - Parameter folder: only what lies in it; all of the domain when nil.
    package func latestChanges(
        _ limit: Int, below folder: String?
    ) async throws(ConnectionError) -> [DomainChange] {
        var latest: [DomainChange] = []
        try await survey { item, tree in
            // What lies in a folder of the trash went there with it.
            guard let parent = item.parent,
                parent == DomainTree.trash || !tree.isInTrash(item)
            else { return }
            if let folder, item.id == folder || !tree.lies(item, below: folder) { return }
            latest.append(DomainChange(item, in: tree))
            // Now and then, so that not all of a large domain is held.
            if latest.count >= limit * 2 + 1000 { latest = Self.newest(limit, of: latest) }
        }
        return Self.newest(limit, of: latest)
    }

    private static func newest(_ limit: Int, of changes: [DomainChange]) -> [DomainChange] {
        Array(changes.sorted { $0.rank > $1.rank }.prefix(limit))
    }

    /// The content that came with a change: who wrote it, and when. Nil where none did.
    package func writing(
        behind change: DomainChange
    ) async throws(ConnectionError) -> VersionInfo? {
        guard change.item.kind == .file, change.kind == .created || change.kind == .written else {
            return nil
        }
        do throws(ConnectionError) {
            return try await versions(of: change.item.id)
                .first { $0.version == change.item.contentVersion }
        } catch {
            // It has gone meanwhile.
            guard error.code == "no_such_item" else { throw error }
            return nil
        }
    }
}
