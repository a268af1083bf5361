import BasketDatabase
import BasketSupport
import FileProvider
import Glibc
import Synchronization

// Which bytes a crash of the machine cannot take any more.
extension Replica {
    /// Stands for no time: what was written until then is not on the disk, as the disk has said.
    fileprivate static let never = Int64.max

    /// Files that programs have not finished with: what they write meanwhile nobody has noted.
    private static let writtenFiles = """
        SELECT file FROM writing UNION ALL
        SELECT node.file FROM writer CROSS JOIN node ON node.id = writer.node
        WHERE node.file IS NOT NULL
        """

    /// Makes everything durable that was written until now.
    package func synchronise() async throws {
        try await makeCommitsDurable()
        try await letGoOfDistrusted()
        let newest: Int64? = try read {
            try $0.db.value("SELECT max(since) FROM volatile WHERE since < ?", Self.never)
        }
        guard let newest else { return }
        do {
            try contents.synchronise()
        } catch {
            world.log.error("the disk does not take what was written", ["error": .text("\(error)")])
            return try await synchroniseEach(until: newest)
        }
        try await askForEarlier()
        // What is written from here on is noted anew. What came before it takes room until then.
        try await makeRoom {
            _ = try $0.db.run(
                """
                DELETE FROM volatile
                WHERE since <= ? AND isUnseen = 0 AND file NOT IN (\(Self.writtenFiles))
                """, newest)
        }
    }

    /// What was lost while nobody had the disk open here, another one may have heard: of that, each file tells alone.
    private func askForEarlier() async throws {
        guard !hasAskedForEarlier.load(ordering: .relaxed) else { return }
        try await synchroniseEach(until: lastTurn)
        hasAskedForEarlier.store(true, ordering: .relaxed)
    }

    /// What had to stay when the disk did not take it may be at the provider by now.
    private func letGoOfDistrusted() async throws {
        let files: [Int64] = try read { reader in
            try reader.db.all("SELECT file FROM volatile WHERE since = ?", Self.never) {
                row throws(SQLiteError) in try row[0]
            }
        }
        for file in files { try await letGo(ofDistrusted: file) }
    }

    /// What is to be here is fetched once more, and not again where that is not taken either: a disk that takes nothing
    /// any more would have all of it come for ever.
    private func letGo(ofDistrusted file: Int64) async throws {
        let holder = try read { try $0.node(file: file)?.id }
        let isFirst = fetchedAnew.withLock { known in holder.map(known.contains) != true }
        let hasGone = try await write { try $0.distrust(file, isFirst: isFirst) }
        if hasGone, let holder { fetchedAnew.withLock { _ = $0.insert(holder) } }
    }

    /// The disk as a whole tells of a failure once, and the next time all seems to be well. Each file tells its own.
    private func synchroniseEach(until newest: Int64) async throws {
        let files: [(number: Int64, since: Int64)] = try read { reader in
            try reader.db.all("SELECT file, since FROM volatile WHERE since <= ?", newest) {
                row throws(SQLiteError) in (try row[0], try row[1])
            }
        }
        var safe: [(number: Int64, since: Int64)] = []
        for file in files {
            do {
                try contents.synchronise(file.number)
                safe.append(file)
            } catch  where !error.isMissing {
                try await distrust(file.number, error)
            } catch {
                continue
            }
            if safe.count == Self.settledAtOnce {
                try await settle(safe)
                safe = []
            }
        }
        try await settle(safe)
    }

    /// After a process that had much to do has died, there are thousands.
    private static let settledAtOnce = 500

    /// Makes what was written to one file durable: nothing else may have it from here on.
    package func synchronise(_ id: NodeID) async throws {
        try await makeCommitsDurable()
        guard let file = try read({ try $0.node(id)?.file }) else { return }
        let since: Int64? = try read {
            try $0.db.value("SELECT since FROM volatile WHERE file = ?", file)
        }
        guard let since else { return }
        try requireTrust(in: file, since: since)
        do {
            try contents.synchronise(file)
        } catch {
            if error.isLostWrite { try await distrust(file, error) }
            throw error
        }
        try await settle([(file, since)])
    }

    /// - Throws: where the disk has refused it once, and would not say so again.
    package func requireTrust(in file: Int64) throws {
        let since: Int64? = try read {
            try $0.db.value("SELECT since FROM volatile WHERE file = ?", file)
        }
        if let since { try requireTrust(in: file, since: since) }
    }

    private func requireTrust(in file: Int64, since: Int64) throws(FileError) {
        guard since == Self.never else { return }
        throw FileError("synchronise", contents.path(file), code: EIO)
    }

    private func settle(_ files: [(number: Int64, since: Int64)]) async throws {
        if files.isEmpty { return }
        try await makeRoom { transaction in
            for file in files {
                try transaction.db.run(
                    """
                    DELETE FROM volatile WHERE file = ? AND since <= ? AND since < ?
                        AND isUnseen = 0 AND file NOT IN (\(Self.writtenFiles))
                    """, file.number, file.since, Self.never)
            }
        }
    }

    /// The disk has not taken a file's bytes, and will not say so again.
    package func distrust(_ file: Int64, _ error: FileError) async throws {
        world.log.error(
            "the disk has not taken a file's bytes",
            ["file": .number(file), "error": .text("\(error)")])
        try await letGo(ofDistrusted: file)
    }
}

extension ReplicaTransaction {
    /// What the provider has is fetched again, when somebody wants it. What was written here is nowhere else but in
    /// memory: it is sent from there, and looked at as after a crash if that comes first.
    /// - Parameter isFirst: whether its node has not been fetched anew for that before.
    /// - Returns: whether it is gone from here, and is to be fetched.
    fileprivate func distrust(_ file: Int64, isFirst: Bool) throws -> Bool {
        try db.run("UPDATE volatile SET since = ? WHERE file = ?", Replica.never, file)
        let based: [NodeID] = try db.all("SELECT id FROM node WHERE basis = ?", file) {
            row throws(SQLiteError) in try row[0]
        }
        for id in based { try update(id) { $0.basis = nil } }
        guard let holder = try reader.node(file: file), let local = holder.trees.local,
            local.kind == .file
        else { return false }
        var node = holder
        if local.content.isEdit || holder.trees.remote == nil {
            // What is never sent has no other way out: who writes to it next does so in a fresh file.
            if holder.exclusion == .no { return false }
            node.isFrozen = true
        } else {
            let isBusy = holder.exclusion == .no && (holder.turn != nil || holder.isUploading)
            if isBusy || holder.isFrozen || local.name == ReplicaReader.ignoreListName {
                return false
            }
            let isPinned = try reader.policy(of: holder.id) == .downloadEagerlyAndKeepDownloaded
            if isPinned && !isFirst { return false }
            node.letGoOfContent()
        }
        if node != holder { try save(node, before: holder) }
        return node.residence == .dataless
    }
}
