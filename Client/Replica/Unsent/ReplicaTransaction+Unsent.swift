import BasketDatabase

// What is written down a second time.
extension ReplicaTransaction {
    /// Notes a node of which something is, or was, known to this device alone; and a folder that one lies in.
    func noteUnsent(_ node: StoredNode, before: StoredNode?) {
        guard node.id > .trash else { return }
        let isFolder = (before ?? node).kind == .folder
        guard
            node.isUnsent || before?.isUnsent == true
                || isFolder && unsent.journal.mayHold(node.id)
        else { return }
        unsent.note(node)
    }

    /// Has it written down once it is committed, and durable.
    func tellUnsent() throws {
        let (nodes, files, arrivals) = (unsent.nodes, unsent.files, unsent.arrivals)
        let part = unsent.part
        let isChange = if case .change = part { true } else { false }
        if isChange, nodes.isEmpty, files.isEmpty, arrivals.isEmpty { return }
        var rows = UnsentRows(transaction: self)
        for node in nodes { try rows.add(node) }
        for file in files { try rows.add(file: file) }
        try db.run("UPDATE replica SET noted = noted + ?", isChange)
        guard let mark = try reader.unsentMark() else { return }
        let batch = UnsentBatch(
            part: part, notes: rows.notes + arrivals, mark: mark, isCutOff: unsent.isCutOff)
        let journal = unsent.journal
        journal.expect(rows.notes)
        db.afterCommit { journal.add(batch) }
    }

    /// Notes what is unsent among some of the nodes.
    /// - Returns: the last of them; nil when there are no more.
    func noteUnsent(after last: NodeID) throws -> NodeID? {
        let isFirst = last == .trash
        if isFirst { unsent.journal.forgetFolders() }
        let nodes = try reader.unsentCandidates(after: last)
        for node in nodes where node.isUnsent { unsent.note(node) }
        if isFirst {
            // What somebody holds still is not to come back by what is noted at it.
            let discarded: [Int64] = try db.all(
                """
                SELECT file FROM discarded UNION
                SELECT former FROM predecessor
                WHERE NOT EXISTS (SELECT 1 FROM node WHERE node.file = former)
                ORDER BY 1
                """
            ) { row throws(SQLiteError) in try row[0] }
            for file in discarded { unsent.note(file: file) }
            try noteArrivals()
        }
        let isLast = nodes.count < ReplicaReader.candidatesAtOnce
        unsent.part = .renewal(isFirst: isFirst, isLast: isLast)
        return isLast ? nil : nodes.last?.id
    }

    /// What is on its way out of an imported tree: few at any moment.
    private func noteArrivals() throws {
        var last = NodeID(rawValue: 0)
        while true {
            let rows = try reader.arrivals(after: last, limit: ReplicaReader.candidatesAtOnce)
            guard let newest = rows.last else { return }
            for row in rows { unsent.note(claimed: row) }
            last = newest.node
        }
    }
}

extension ReplicaReader {
    fileprivate static let candidatesAtOnce = 5000

    /// Some of those that may be unsent, behind that one. Nearly all nodes are agreed on: the others have an index.
    func unsentCandidates(after last: NodeID) throws -> [StoredNode] {
        try db.all(
            """
            SELECT \(NodeColumn.all) FROM node INDEXED BY node_apart
            WHERE id > ?
                AND (trees <> 7 OR synced IS NOT NULL OR excluded <> 0 OR unanswered <> 0
                    OR unheard IS NOT NULL)
            ORDER BY id LIMIT \(Self.candidatesAtOnce)
            """, last
        ) { row throws(SQLiteError) in try StoredNode(row) }
    }

    /// How far the journal must have come.
    func unsentMark() throws -> UnsentMark? {
        try db.first("SELECT identity, noted, nodes FROM replica") { row throws(SQLiteError) in
            UnsentMark(identity: try row[0], noted: try row[1], nodes: try row[2])
        }
    }
}
