import BasketDatabase
import FileProvider

// The provider's names for items mean nothing any more: what is here is offered to it once more, and it says which
// of its items that is.
extension ReplicaReader {
    /// Whether a node may be at the provider already, under a name of that one's.
    package func isOffered(_ id: NodeID) throws -> Bool {
        try db.value("SELECT 1 FROM offered WHERE node = ?", id, of: Int.self) != nil
    }

    /// Whether that is all that is known of it: people had it on their disk, and the provider was never asked about it.
    package func isArrival(_ id: NodeID) throws -> Bool {
        try db.value("SELECT isArrival FROM offered WHERE node = ?", id) ?? false
    }

    /// Whether something waits to be offered for the first time: what failed once comes when it can, and so does what
    /// waits for that. That nobody could be asked about it is no failure of its own, unless it is so again and again.
    package func hasUnoffered() throws -> Bool {
        try db.value(
            """
            WITH failed (node) AS (
                SELECT node FROM trouble
                WHERE NOT (domain = ?1 AND code IN (?2, ?3) AND attempts <= ?4)
            )
            SELECT EXISTS (
                SELECT 1 FROM offered CROSS JOIN node ON node.id = offered.node
                WHERE node.turn IS NOT NULL AND node.id NOT IN (SELECT node FROM failed)
                    AND node.id NOT IN (SELECT node FROM writer)
                    AND NOT EXISTS (
                        WITH RECURSIVE chain (id) AS (
                            SELECT node.waits UNION
                            SELECT next.waits FROM chain CROSS JOIN node AS next
                                ON next.id = chain.id
                        )
                        SELECT 1 FROM chain CROSS JOIN failed ON failed.node = chain.id
                    )
            )
            """, NSFileProviderErrorDomain, NSFileProviderError.Code.serverUnreachable.rawValue,
            NSFileProviderError.Code.notAuthenticated.rawValue, Self.mostUnreached) ?? false
    }

    private static let mostUnreached = 20

    /// Whether something is still to be found that is to be offered.
    package func isReimporting() throws -> Bool {
        try db.value("SELECT EXISTS (SELECT 1 FROM reimport)") ?? false
    }

    /// Whether what is here is being put in order, so that nothing can be said of it.
    package func isUnsettled() throws -> Bool {
        try isArriving() || isReimporting()
    }

    /// Whether the provider has not been told yet that everything was offered.
    package func isImporting() throws -> Bool {
        try db.value("SELECT isImporting FROM replica") ?? false
    }
}

extension ReplicaTransaction {
    /// Has a node, and all that lies below it, offered: `continueReimport` goes through it.
    package func beginReimport(below id: NodeID) throws {
        try db.run("UPDATE replica SET isImporting = 1")
        if id == .root {
            // What it is asked to make must not be taken for what it was asked before.
            try db.run("UPDATE replica SET identity = randomblob(16)")
            try db.run("DELETE FROM former")
            try beginAnew()
        }
        if let node = try reader.node(id), id != .root, id != .trash { try offer(node) }
        try addToReimport(id)
        if id == .root { try addToReimport(.trash) }
        changes.note(nil, in: nil)
    }

    /// Offers some more of what is to be offered.
    /// - Returns: whether there is more.
    package func continueReimport(limit: Int) throws -> Bool {
        var left = limit
        while left > 0 {
            let next: (folder: NodeID, last: NodeID)? = try db.first(
                "SELECT folder, last FROM reimport LIMIT 1"
            ) { row throws(SQLiteError) in (try row[0], try row[1]) }
            guard let (folder, last) = next else { break }
            let nodes = try nodesBelow(folder, after: last, limit: left)
            for node in nodes { try reimport(node) }
            if nodes.count < left {
                try db.run("DELETE FROM reimport WHERE folder = ?", folder)
            } else if let last = nodes.last {
                try db.run("UPDATE reimport SET last = ? WHERE folder = ?", last.id, folder)
            }
            left -= max(1, nodes.count)
        }
        changes.note(nil, in: nil)
        return try reader.isReimporting()
    }

    private func addToReimport(_ folder: NodeID) throws {
        try db.run(
            "INSERT INTO reimport (folder) VALUES (?) ON CONFLICT (folder) DO UPDATE SET last = 0",
            folder)
    }

    private func reimport(_ node: StoredNode) throws {
        // Also what is not here may have something in it.
        if node.kind == .folder { try addToReimport(node.id) }
        guard node.trees.local != nil else {
            // It is not here, or was removed: what the provider has of it, it tells again.
            return try save(node.with { $0.trees = NodeTrees() }, before: node)
        }
        try offer(node)
    }

    private func offer(_ before: StoredNode) throws {
        var node = before
        node.identifier = nil
        node.trees.remote = nil
        node.trees.synced = nil
        node.remoteMetadata = nil
        node.syncedMetadata = nil
        node.remoteContentVersion = nil
        node.syncedContentVersion = nil
        node.isUnanswered = false
        node.unheard = []
        node.muted = []
        guard node.exclusion == .no else { return try save(node, before: before) }
        if node.kind == .file, node.residence == .whole {
            // Should the provider not have it, there is nothing else.
            let isEdit = before.trees.local?.content.isEdit == true
            if !isEdit {
                node.trees.local?.content = .edit(try nextEdit())
                // What is written to it goes into a file at which it is noted that nobody else has that.
                node.isFrozen = true
            }
        } else if node.kind == .file {
            node.letGoOfContent()
            // The provider's names for contents mean something within an item alone: another one's may have the same.
            node.trees.local?.content = .handedOver
        }
        if before.trees.local?.isBounced == true {
            node.trees.local?.isBounced = false
            // A stand-in's name means nothing to the provider. What has no bytes here comes back by itself.
            if node.kind == .file, node.residence == .dataless { node.trees = NodeTrees() }
        }
        try save(node, before: before)
        guard node.main != nil else { return }
        // Also what came from the disk may be there, once the provider was asked.
        try db.run(
            "INSERT INTO offered (node) VALUES (?) ON CONFLICT (node) DO UPDATE SET isArrival = 0",
            node.id)
    }

    /// The provider has said which item a node is.
    package func endOffer(of id: NodeID) throws {
        try db.run("DELETE FROM offered WHERE node = ?", id)
    }

    /// The provider has been told that everything was offered.
    package func endImport() throws {
        try db.run("UPDATE replica SET isImporting = 0")
        // What stays here was nothing to offer.
        try db.run(
            """
            DELETE FROM offered WHERE node IN (
                SELECT node FROM offered CROSS JOIN node ON node.id = offered.node
                WHERE node.turn IS NULL
            )
            """)
    }
}
