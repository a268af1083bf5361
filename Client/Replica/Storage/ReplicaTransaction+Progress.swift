import BasketDatabase
import FileProvider

// How far the provider's tree was taken in.
extension ReplicaReader {
    /// The working set's anchor up to which everything was taken in.
    package func anchor() throws -> [UInt8]? {
        try db.value("SELECT anchor FROM replica")
    }

    /// The page with which the enumeration of everything goes on.
    package func page() throws -> [UInt8]? {
        try db.value("SELECT page FROM replica")
    }

    package func stage() throws -> Stage {
        try db.value("SELECT stage FROM replica").flatMap(Stage.init(rawValue:)) ?? .empty
    }

    package func feedPosition() throws -> FeedPosition {
        try db.first("SELECT stage, anchor, page, folder FROM replica") {
            row throws(SQLiteError) in
            let stage: Int = try row[0]
            return FeedPosition(
                stage: Stage(rawValue: stage) ?? .empty, anchor: try row[1], page: try row[2],
                folder: try row[3])
        } ?? FeedPosition(stage: .empty, anchor: nil, page: nil, folder: .root)
    }

    /// The folder that is to be listed again next.
    package func nextFolderToList() throws -> NodeID? {
        try db.value(
            """
            SELECT id FROM (
                SELECT id FROM node
                WHERE id > (SELECT folder FROM replica) AND id <= (SELECT mark FROM replica)
                    AND kind = ?1 AND listed <> 0 AND trees & 4 <> 0
                ORDER BY id LIMIT 1
            ) UNION ALL
            SELECT id FROM (
                SELECT id FROM successor CROSS JOIN node ON id = successor.node
                WHERE id > (SELECT folder FROM replica)
                    AND kind = ?1 AND listed <> 0 AND trees & 4 <> 0
                ORDER BY id LIMIT 1
            ) LIMIT 1
            """, NodeKind.folder.rawValue)
    }

    /// Nodes that the provider had before everything was told again, and that were not among it.
    /// - Parameter last: goes on after that one.
    package func unseen(after last: NodeID = .trash, limit: Int) throws -> [NodeID] {
        try db.all(
            """
            SELECT id FROM (
                SELECT id FROM node
                WHERE id > ?1 AND id <= (SELECT mark FROM replica) AND trees & 4 <> 0
                    AND id NOT IN seen
                ORDER BY id LIMIT ?2
            ) UNION ALL
            SELECT id FROM (
                SELECT id FROM successor CROSS JOIN node ON id = successor.node
                WHERE id > ?1 AND trees & 4 <> 0 AND id NOT IN seen
                ORDER BY id LIMIT ?2
            ) LIMIT ?2
            """, last, limit
        ) { row throws(SQLiteError) in try row[0] }
    }

    /// What could not be looked at when it was to be.
    package func owed(after last: NodeID? = nil, limit: Int) throws -> [OwedLook] {
        try db.all(
            "SELECT node, lists FROM owed WHERE node > ? ORDER BY node LIMIT ?",
            last?.rawValue ?? 0, limit
        ) {
            row throws(SQLiteError) in OwedLook(node: try row[0], isListing: try row[1] != 0)
        }
    }

    /// What was told of and could not be put anywhere, by identifier.
    package func strays(
        after last: NSFileProviderItemIdentifier? = nil, limit: Int
    ) throws -> [NSFileProviderItemIdentifier] {
        try db.all(
            "SELECT identifier FROM stray WHERE identifier > ? ORDER BY identifier LIMIT ?",
            last?.rawValue ?? "", limit
        ) { row throws(SQLiteError) in NSFileProviderItemIdentifier(try row[0]) }
    }

    /// Whether there is something that could not be looked at when it was to be.
    package func isLookOwed() throws -> Bool {
        try !owed(limit: 1).isEmpty || !strays(limit: 1).isEmpty
    }
}

extension ReplicaTransaction {
    package func set(anchor: [UInt8]?) throws {
        try db.run("UPDATE replica SET anchor = ?", anchor)
    }

    package func set(page: [UInt8]?) throws {
        // Somebody may have said meanwhile that all of it is to be told anew.
        try db.run("UPDATE replica SET page = ? WHERE stage = ?", page, Stage.filling.rawValue)
    }

    /// Everything is told from here on, from the start.
    package func beginFilling(from anchor: [UInt8]?) throws {
        try db.run(
            "UPDATE replica SET stage = ?, anchor = ?, page = NULL, folder = 0, mark = nodes",
            Stage.filling.rawValue, anchor)
        try db.run("DELETE FROM seen")
        try db.run("DELETE FROM successor")
    }

    /// Everything was told. What was known before, and was not told again, is looked for.
    /// - Parameter isComplete: whether every folder is known now with all that lies in it.
    package func endFilling(isComplete: Bool) throws {
        // It may have been begun anew meanwhile.
        guard try reader.stage() == .filling else { return }
        try db.run("UPDATE replica SET stage = ?, page = NULL", Stage.verifying.rawValue)
        if isComplete {
            try db.run("UPDATE node SET listed = 1 WHERE kind = 2 AND listed = 0")
            try noteStale()
        }
    }

    package func endVerifying() throws {
        guard try reader.stage() == .verifying else { return }
        try db.run("UPDATE replica SET stage = ?", Stage.following.rawValue)
        try renewStaleSets()
        try db.run("DELETE FROM seen")
        try db.run("DELETE FROM successor")
    }

    /// The anchor means nothing any more: everything is to be told again.
    package func beginAnew() throws {
        try db.run("UPDATE replica SET stage = ?, anchor = NULL", Stage.empty.rawValue)
    }

    /// The provider has told of a node, or was asked for it.
    package func noteSeen(_ id: NodeID) throws {
        try db.run(
            """
            INSERT OR IGNORE INTO seen (node)
            SELECT ?1 FROM replica WHERE (?1 <= mark OR ?1 IN successor) AND stage IN (?2, ?3)
            """, id, Stage.filling.rawValue, Stage.verifying.rawValue)
    }

    /// What was said of a node is older than what is being told of everything: it does not count as told again.
    /// - Parameter body: takes in what was said.
    package func asUnseen<Result>(
        _ ids: [NodeID], _ body: () throws -> Result
    ) throws -> Result {
        let unseen = try ids.filter { id in
            try db.value("SELECT 1 FROM seen WHERE node = ?", id, of: Int.self) == nil
        }
        let result = try body()
        for id in unseen { try db.run("DELETE FROM seen WHERE node = ?", id) }
        return result
    }

    /// Nobody could say how a node is at the provider, nor that it is not there.
    package func noteOwed(_ look: OwedLook) throws {
        try db.run(
            """
            INSERT INTO owed (node, lists) VALUES (?, ?)
            ON CONFLICT DO UPDATE SET lists = max(lists, excluded.lists)
            """, look.node, look.isListing ? 1 : 0)
    }

    /// Nobody could say how an item is at the provider, or where it lies there.
    package func noteOwed(_ identifier: NSFileProviderItemIdentifier) throws {
        if let id = try reader.id(of: identifier) {
            return try noteOwed(OwedLook(node: id, isListing: false))
        }
        try db.run("INSERT OR IGNORE INTO stray (identifier) VALUES (?)", identifier.rawValue)
    }

    package func settle(stray: NSFileProviderItemIdentifier) throws {
        try db.run("DELETE FROM stray WHERE identifier = ?", stray.rawValue)
    }

    package func settle(_ look: OwedLook) throws {
        // A folder may have come to be listed beside that.
        try db.run(
            "DELETE FROM owed WHERE node = ? AND lists <= ?", look.node, look.isListing ? 1 : 0)
    }

    /// A new node stands for what an older one was at the provider. Whatever would have been asked for that one
    /// while everything is told again, is asked for this one.
    func succeed(_ predecessor: NodeID, by id: NodeID) throws {
        try db.run(
            """
            INSERT INTO successor (node)
            SELECT ?1 FROM replica WHERE (?2 <= mark OR ?2 IN successor) AND stage IN (?3, ?4)
            """, id, predecessor, Stage.filling.rawValue, Stage.verifying.rawValue)
        try db.run(
            "INSERT INTO seen (node) SELECT ?1 FROM successor, seen WHERE successor.node = ?1 AND seen.node = ?2",
            id, predecessor)
    }

    /// A folder was listed with all that lies in it.
    package func setListed(_ folder: NodeID) throws {
        try update(folder) { $0.isListed = true }
    }

    /// A folder was listed again, or could not be: then it is listed for whoever looks into it, and later by itself.
    package func passFolder(_ folder: NodeID, isListed: Bool) throws {
        if !isListed, try update(folder, { $0.isListed = false }) != nil {
            try noteOwed(OwedLook(node: folder, isListing: true))
        }
        try db.run("UPDATE replica SET folder = ?", folder)
    }
}
