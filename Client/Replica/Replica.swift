import BasketDatabase
import BasketSupport
import FileProvider
import Foundation
import Synchronization

/// What one device knows of one domain: its nodes in three trees, the contents that are here, and what
/// is still to be done. Whoever changes it, changes it here; what follows from that is the host's business.
package final class Replica: Sendable {
    package let world: World
    let folder: String
    package let rule: CaseRule
    package let contents: ContentFiles
    package let changes = ReplicaChanges()
    package let listedFolders = ListedFolders()
    /// Files up to this one were there before this replica was opened.
    let lastFile: Int64
    /// What was written before that, an earlier process has written.
    let lastTurn: Int64
    let hasAskedForEarlier = Atomic(false)
    /// What was fetched once more, as the disk had not taken it.
    let fetchedAnew = Mutex<Set<NodeID>>([])
    /// What could not be removed, and was said to be so.
    private let unremovable = Mutex<Set<Int64>>([])
    /// What only this device has, for the day on which the database is gone.
    let journal: UnsentJournal
    /// Numbers of files that were given to this process, and that nothing has yet.
    let numbers = Mutex<Range<Int64>>(0..<0)
    /// How many commits did not wait for the disk, and how many of these are on it.
    private let lateCommits = Atomic<UInt64>(0)
    private let durableCommits = Atomic<UInt64>(0)
    private let writer: any DatabaseWriter
    private let readers: ReaderPool
    private let ballast: Ballast
    /// Until then all of it may need the ballast's room.
    private let isOpen = Atomic(false)
    /// Whether the machine has, since it was opened before.
    let hasCrashed = Atomic(false)
    /// Two processes that work on one replica would each undo what the other has noted.
    private let claim: Mutex<FileLock?>

    /// - Parameters:
    ///   - boot: names the machine's present start: with another one than the last time, the machine has
    ///     crashed or was switched off.
    ///   - folder: holds the database and the contents; made where it is missing.
    ///   - makeWriter: for the database at the path.
    /// - Throws: `FileLock.Held` while another process has it open, or this one by another object.
    package init(
        folder: String, rule: CaseRule, boot: String, world: World,
        makeWriter: (String) async throws -> any DatabaseWriter
    ) async throws {
        self.world = world
        contents = try ContentFiles(folder: folder + "/contents", world: world)
        claim = Mutex(try FileLock.take(folder + "/in-use"))
        let path = folder + "/replica.db"
        let ballast = Ballast(
            folder: folder, contents: contents.folder, files: world.files)
        self.ballast = ballast
        let unfit = UnfitDatabase(
            path: path, journal: UnsentJournal.path(inContents: contents.folder), world: world)
        try await ballast.giving { try unfit.setAside() }
        writer = try await ballast.giving { try await makeWriter(path) }
        readers = ReaderPool(path: path)
        let identity = world.randomBytes(16)
        // What an earlier one has left is found before anything is written over it.
        let isNew = try readers.read { try $0.value("SELECT 1 FROM replica", of: Int.self) == nil }
        let left = isNew ? try contents.leftovers() : ContentLeftovers()
        let contents = contents
        let journal = try await ballast.giving {
            try UnsentJournal(folder: contents.folder, rule: rule, world: world, isNeeded: isNew)
        }
        self.journal = journal
        self.rule = try await writer.write { db in
            if let stored: CaseRule = try db.value("SELECT caseRule FROM replica") { return stored }
            // Where nobody knows, it may have crashed.
            let lastBoot = journal.lastBoot()
            try Self.begin(db, identity: identity, rule: rule, boot: lastBoot ?? "")
            let isSameBoot = lastBoot == boot
            try left.note(in: db)
            try UnsentRestoration(
                journal, reader: ReplicaReader(db: db, rule: rule), contents: contents,
                world: world, isSameBoot: isSameBoot
            ).restore()
            return rule
        }
        self.folder = folder
        lastFile = try readers.read { try ReplicaReader(db: $0, rule: rule).lastFile() }
        lastTurn = try readers.read { try $0.value("SELECT turns FROM replica") ?? 0 }
        if writer.answersEarly {
            // A process before this one may have left what is not on the disk.
            lateCommits.add(1, ordering: .releasing)
        }
        do {
            try await makeCommitsDurable()
            try await catchUpUnsent()
        } catch let error as SQLiteError
            where error.isFull || error.isCorrupt || error.isAboutRows
        {
            // Whoever runs can make room, and it is caught up with then. What cannot be read is no reason to keep people
            // from everything else.
            world.log.warning("the journal is behind the replica", ["error": .text("\(error)")])
        }
        try await mend(since: boot)
        do {
            try journal.set(boot: boot)
        } catch {
            // Then what is in it is taken for what a crash may have left of it.
            world.log.warning("the journal cannot be written", ["error": .text("\(error)")])
        }
        try await finishInterrupted()
        try await write { try $0.forgetUnfinished() }
        if try world.files.factsIfAny(of: ArrivingTree.folder(inReplica: folder)) != nil {
            try await write { try $0.beginArrival() }
        }
        try await removeDiscarded()
        isOpen.store(true, ordering: .relaxed)
        do {
            // The disk may fill up before anybody looks after this one.
            try await keepBallast()
        } catch {
            world.log.warning("no room is kept for later", ["error": .text("\(error)")])
        }
    }

    /// Mends what a crash before the machine's present start has done to contents.
    private func mend(since boot: String) async throws {
        let last: String? = try read { try $0.db.value("SELECT boot FROM replica") }
        let hasCrashed = last != boot
        self.hasCrashed.store(hasCrashed, ordering: .relaxed)
        if hasCrashed { try await doubtFound() }
        try await mendAfterCrash(isAll: hasCrashed)
        if hasCrashed {
            try await write { _ = try $0.db.run("UPDATE replica SET boot = ?", boot) }
        }
    }

    /// The connection that a writer works on, with the schema brought up to date.
    package static func openConnection(_ path: String) throws -> Connection {
        let connection = try Connection(path: path, mode: .writer)
        try connection.migrate(ReplicaSchema.migrations)
        return connection
    }

    private static func begin(
        _ db: Connection, identity: [UInt8], rule: CaseRule, boot: String
    ) throws {
        try db.run(
            """
            INSERT INTO replica (id, identity, boot, caseRule, nodes, edits, files, turns)
            VALUES (1, ?, ?, ?, ?, 0, 0, 0)
            """, identity, boot, rule, NodeID.trash)
        let places: [(NodeID, NSFileProviderItemIdentifier)] = [
            (.root, .rootContainer), (.trash, .trashContainer),
        ]
        for (id, identifier) in places {
            // Its parent is nobody: what lies in no folder is in no listing.
            let entry = Entry(
                parent: NodeID(rawValue: 0), name: identifier.rawValue, kind: .folder,
                content: .none)
            var node = StoredNode(
                id: id, trees: NodeTrees(local: entry, synced: entry, remote: entry))
            node.identifier = identifier
            try db.run(NodeColumn.insert, scalars: node.values(rule))
        }
    }

    /// Reads one committed state, on the caller's thread.
    package func read<Result>(_ body: (ReplicaReader) throws -> Result) throws -> Result {
        try readers.read { try body(ReplicaReader(db: $0, rule: rule)) }
    }

    /// Changes the replica: as a whole or not at all.
    package func write<Result: Sendable>(
        _ body: @escaping @Sendable (ReplicaTransaction) throws -> Result
    ) async throws -> Result {
        if !isOpen.load(ordering: .relaxed) { return try await makeRoom(body) }
        return try await commit(body)
    }

    /// The same, of which a crash of the machine may know nothing, as of what programs do to any file system: until the
    /// next other change, or `makeCommitsDurable`. Nobody is told of it before that, and no file is removed because of it.
    package func writeSoon<Result: Sendable>(
        _ body: @escaping @Sendable (ReplicaTransaction) throws -> Result
    ) async throws -> Result {
        guard isOpen.load(ordering: .relaxed) else { return try await makeRoom(body) }
        return try await writer.writeSoon(transaction(body))
    }

    /// Whether there is ever anything to be made durable afterwards.
    package var commitsLate: Bool { writer.answersEarly }

    /// What was answered before is on the disk afterwards.
    package func makeCommitsDurable() async throws {
        guard lateCommits.load(ordering: .acquiring) != durableCommits.load(ordering: .acquiring)
        else { return }
        // It takes no room: on a full disk, files wait for it that are to be removed.
        try await writeUnhindered(transaction { _ in })
    }

    /// Changes the replica so that there is more room than before. On a full disk, it gets what was kept for that, and
    /// nobody else gets any of it.
    /// - Parameter isSparing: whether half of that is left to others, whose changes make more room.
    package func makeRoom<Result: Sendable>(
        isSparing: Bool = false,
        _ body: @escaping @Sendable (ReplicaTransaction) throws -> Result
    ) async throws -> Result {
        let body = transaction(body)
        var failure: any Error
        do {
            return try await writeUnhindered(body)
        } catch {
            failure = error
        }
        while ballast.mayHelp(against: failure) {
            let isGiven = Atomic(false)
            do {
                return try await waiting {
                    try await self.writer.writeAlone { [ballast = self.ballast] db in
                        if ballast.release(isSparing: isSparing) {
                            isGiven.store(true, ordering: .relaxed)
                        }
                        return try body(db)
                    }
                }
            } catch {
                failure = error
            }
            guard isGiven.load(ordering: .relaxed) else { break }
        }
        throw failure
    }

    /// On a full disk, it is not others' changes that make it fail.
    private func writeUnhindered<Result: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> Result
    ) async throws -> Result {
        do {
            return try await waiting { try await self.writer.write(body) }
        } catch {
            guard ballast.mayHelp(against: error) else { throw error }
        }
        return try await waiting { try await self.writer.writeAlone(body) }
    }

    /// What was committed before is on the disk as well: others are told of it from here on. A commit that changes no page
    /// could not say that it is not.
    private func waiting<Result: Sendable>(
        _ commit: () async throws -> Result
    ) async throws -> Result {
        let late = lateCommits.load(ordering: .acquiring)
        let result = try await commit()
        guard durableCommits.load(ordering: .acquiring) >= late else {
            throw FileError("synchronise", folder + "/replica.db", code: EIO)
        }
        return result
    }

    /// So that room can be made the next time, too.
    package func keepBallast() async throws {
        let ballast = ballast
        try await world.aside { try ballast.keep() }
    }

    private func commit<Result: Sendable>(
        _ body: @escaping @Sendable (ReplicaTransaction) throws -> Result
    ) async throws -> Result {
        let body = transaction(body)
        return try await waiting { try await self.writer.write(body) }
    }

    private func transaction<Result: Sendable>(
        _ body: @escaping @Sendable (ReplicaTransaction) throws -> Result
    ) -> @Sendable (Connection) throws -> Result {
        { [self] db in
            let notes = ChangeNotes()
            let transaction = ReplicaTransaction(
                reader: ReplicaReader(db: db, rule: rule), now: world.now(),
                machine: world.machine, changes: notes, unsent: UnsentNotes(journal))
            let result = try body(transaction)
            try transaction.noteDatesOfFolders(listedFolders)
            try transaction.tellUnsent()
            noteCommit(of: db)
            notes.tell(changes, after: db)
            return result
        }
    }

    /// The journal must not know what a crash may have the database forget.
    private func noteCommit(of db: Connection) {
        guard db.waitsForDisk else {
            // Before anybody sees it: one too many does no harm.
            lateCommits.add(1, ordering: .releasing)
            return
        }
        // One commit comes after another: this one brings along all that came before. One that changes no page, SQLite does
        // not write, and does not wait for.
        let (count, syncs) = (lateCommits.load(ordering: .acquiring), db.logSyncs)
        db.afterCommitAtLast { [self] db in
            let isBehind = count != durableCommits.load(ordering: .acquiring)
            if isBehind, db.logSyncs == syncs {
                do {
                    try db.syncLog()
                } catch {
                    return world.log.error(
                        "what was changed is not on the disk", ["error": .text("\(error)")])
                }
            }
            durableCommits.store(count, ordering: .releasing)
            journal.flush()
        }
    }

    /// The size of the disk on which it lies, and how much of that is free.
    package func volumeBytes() throws -> (total: Int64, free: Int64) {
        let files = world.files
        return (try files.totalBytes(at: folder), try files.availableBytes(at: folder))
    }

    /// What comes next takes a little longer.
    package func rest() {
        readers.closeIdle()
        writer.rest()
    }

    package func close() {
        writer.stop()
        readers.closeIdle()
        journal.close()
        claim.withLock { $0 = nil }
    }

    /// Removes files that no node names any more, but for those that somebody holds: their turn comes later. One
    /// that is still open lives on for who has it.
    package func removeDiscarded() async throws {
        var last: Int64 = 0
        while true {
            let after = last
            let files: [Int64] = try read { reader in
                try reader.db.all(
                    "SELECT file FROM discarded WHERE file > ? ORDER BY file LIMIT 500", after
                ) { row throws(SQLiteError) in try row[0] }
            }
            guard let newest = files.last else { return }
            last = newest
            // Nothing brings them back from here on.
            try await makeCommitsDurable()
            let removed = files.filter(removeIfPossible)
            guard !removed.isEmpty else { continue }
            try await write { transaction in
                for file in removed {
                    try transaction.db.run("DELETE FROM discarded WHERE file = ?", file)
                    try transaction.db.run("DELETE FROM volatile WHERE file = ?", file)
                    if transaction.unsent.journal.mayHold(dropped: file) {
                        transaction.unsent.note(file: file)
                    }
                }
            }
        }
    }

    /// What cannot be removed keeps nobody from anything else: its turn comes later.
    private func removeIfPossible(_ file: Int64) -> Bool {
        do {
            return try contents.remove(file)
        } catch {
            let isNews = unremovable.withLock { $0.insert(file).inserted }
            guard isNews else { return false }
            world.log.warning(
                "a file that nobody needs any more cannot be removed",
                ["file": .number(file), "error": .text("\(error)")])
            return false
        }
    }
}
