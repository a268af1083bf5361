import BasketDatabase
import BasketSupport
import Synchronization

/// What only this device has and nobody was told of, written down a second time: for the day on which the replica's
/// database is gone.
///
/// It is written after each commit of the replica's database, which is the truth for as long as it is there. So it
/// may be behind, after a crash or while its disk is full, and never ahead: what was undone never gets here. Whether
/// it is behind, its mark tells, and then it is made anew. Nothing waits for the disk because of it.
final class UnsentJournal: Sendable {
    private enum Phase {
        case inStep
        /// All nodes are being gone through.
        case renewing
        case behind
    }

    private struct Progress {
        var phase = Phase.behind
        /// The folders in it, so that nobody asks for them again with each node that lies in one.
        var folders: Set<NodeID> = []
        var dropped: Set<Int64> = []
        /// So many folders are worth looking which of them are still needed.
        var mostFolders = UnsentJournal.fewFolders
    }

    private struct State {
        var connection: Connection?
        var isClosed = false
        /// Something in it cannot be read: it is put aside before it is opened again.
        var isDamaged = false
        var waiting: [UnsentBatch] = []
        /// The folders, and the files that are to be removed, that are on their way into it: of batches that wait, and of
        /// transactions that may still be undone.
        var comingFolders: Set<NodeID> = []
        var comingDropped: Set<Int64> = []
        var progress = Progress()
    }

    private static let fewFolders = 1000
    /// Most often it holds little, and is read at a start alone.
    private static let cacheBytes = 1 << 20
    private static let checkpointPages = 4000
    private static let fewPages = 1000

    private let path: String
    private let rule: CaseRule
    let world: World
    private let state: Mutex<State>

    /// - Parameters:
    ///   - folder: that of the contents, whose fate it shares.
    ///   - isNeeded: whether nothing else knows what is unsent. Where the database is there, a journal that cannot be
    ///     opened keeps nobody from it.
    init(folder: String, rule: CaseRule, world: World, isNeeded: Bool) throws {
        path = Self.path(inContents: folder)
        self.rule = rule
        self.world = world
        state = Mutex(State())
        do {
            try open(isNeeded: isNeeded)
        } catch  where !isNeeded {
            world.log.error("the journal cannot be opened", ["error": .text("\(error)")])
        }
    }

    static func path(inContents folder: String) -> String { folder + "/unsent.db" }

    private func open(isNeeded: Bool = false) throws {
        do {
            try connect(isNeeded: isNeeded)
        } catch let error as SQLiteError where error.isCorrupt {
            world.log.error("the journal cannot be read", ["error": .text("\(error)")])
            try setAside()
            try connect(isNeeded: false)
        }
    }

    /// - Parameter isNeeded: whether also one of which not all can be read is better than none.
    private func connect(isNeeded: Bool) throws {
        try state.withLock { state in
            let connection = try Connection(
                path: path, mode: .writer, cacheBytes: Self.cacheBytes,
                checkpointPages: Self.checkpointPages)
            // What a power cut takes from it, the replica's database still has.
            try connection.execute("PRAGMA synchronous = NORMAL")
            try connection.migrate(UnsentSchema.migrations)
            do {
                state.progress = try Self.progress(connection)
            } catch let error as SQLiteError where error.isCorrupt && isNeeded {
                world.log.error(
                    "not all of the journal can be read", ["error": .text("\(error)")])
            }
            state.connection = connection
        }
    }

    private static func progress(_ connection: Connection) throws(SQLiteError) -> Progress {
        var progress = Progress()
        let folders: [NodeID] = try connection.all(
            "SELECT id FROM node WHERE kind = ?", NodeKind.folder.rawValue
        ) { row throws(SQLiteError) in try row[0] }
        let dropped: [Int64] = try connection.all("SELECT file FROM dropped") {
            row throws(SQLiteError) in try row[0]
        }
        progress.folders = Set(folders)
        progress.dropped = Set(dropped)
        return progress
    }

    /// Keeps it for whoever knows how to read it.
    private func setAside() throws {
        state.withLock { $0.connection = nil }
        for ending in ["", "-wal", "-shm"] {
            let damaged = path + ".damaged" + ending
            if world.files.exists(path + ending) {
                try world.files.rename(path + ending, to: damaged)
            }
        }
    }

    /// Tries once more where it could not be opened, or something in it could not be read.
    func mend() throws {
        let (isOpen, isDamaged) = state.withLock {
            ($0.connection != nil || $0.isClosed, $0.isDamaged)
        }
        if isOpen { return }
        if isDamaged {
            try setAside()
            state.withLock { $0.isDamaged = false }
        }
        try open()
    }

    func close() {
        state.withLock { state in
            state.connection = nil
            state.isClosed = true
        }
    }

    // MARK: What is in it

    /// Whether a folder is in it, with those that it lies in.
    func holds(_ folder: NodeID) -> Bool {
        state.withLock { $0.progress.folders.contains(folder) }
    }

    /// Whether a folder is in it or may come to be, so that it has to hear what becomes of it.
    func mayHold(_ folder: NodeID) -> Bool {
        state.withLock {
            $0.progress.folders.contains(folder) || $0.comingFolders.contains(folder)
        }
    }

    /// The same of a file that is to be removed.
    func mayHold(dropped file: Int64) -> Bool {
        state.withLock {
            $0.progress.dropped.contains(file) || $0.comingDropped.contains(file)
        }
    }

    /// All of those.
    var droppedFiles: [Int64] { state.withLock { $0.progress.dropped.sorted() } }

    /// The machine's start during which it was last written; nil where nobody knows.
    func lastBoot() -> String? {
        knownOfItself("boot", of: String.self)
    }

    /// What cannot be read of it keeps nobody from its rows.
    private func knownOfItself<Value: SQLiteValue & Sendable>(
        _ column: String, of type: Value.Type
    ) -> Value? {
        do {
            return try read { try $0.value("SELECT \(column) FROM journal") } ?? nil
        } catch {
            world.log.error(
                "what the journal says of itself cannot be read", ["error": .text("\(error)")])
            return nil
        }
    }

    func set(boot: String) throws {
        _ = try read { try $0.run("UPDATE journal SET boot = ?1 WHERE boot IS NOT ?1", boot) }
    }

    /// Nil when it does not hold all that it should.
    func mark() throws -> UnsentMark? {
        try read { connection in
            try connection.first("SELECT identity, noted, nodes FROM journal") {
                row throws(SQLiteError) in
                let identity: [UInt8]? = try row[0]
                guard let identity else { return nil as UnsentMark? }
                return UnsentMark(identity: identity, noted: try row[1], nodes: try row[2])
            } ?? nil
        } ?? nil
    }

    /// The last node that the replica had when it was written to.
    func lastNode() -> Int64 {
        knownOfItself("nodes", of: Int64.self) ?? 0
    }

    /// Nil where it is not open.
    func read<Result: Sendable>(
        _ body: @Sendable (Connection) throws -> Result
    ) throws -> Result? {
        try state.withLock { state in
            guard let connection = state.connection else { return nil }
            return try body(connection)
        }
    }

    // MARK: Writing

    /// It is all that it should be.
    func setInStep() {
        state.withLock { $0.progress.phase = .inStep }
    }

    /// Whether all nodes have to be gone through: it is behind, or holds many folders of which few are needed.
    var needsRenewal: Bool {
        state.withLock {
            $0.progress.phase == .behind || $0.progress.folders.count > $0.progress.mostFolders
        }
    }

    /// Whether there is nothing in it but folders in which nothing is unsent.
    var needsTidying: Bool {
        state.withLock { state in
            guard state.progress.phase == .inStep, !state.progress.folders.isEmpty else {
                return false
            }
            let hasUnsent: Bool? = try? state.connection?.value(
                "SELECT EXISTS (SELECT 1 FROM node WHERE isUnsent <> 0)")
            return hasUnsent == false
        }
    }

    /// Gives the disk back what much has taken that is not in it any more.
    func shrink() throws {
        try state.withLock { state in
            guard let connection = state.connection,
                let free: Int = try connection.value("PRAGMA freelist_count"),
                let all: Int = try connection.value("PRAGMA page_count"),
                free > Self.fewPages, free > all / 2
            else { return }
            try connection.execute("VACUUM")
            try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        }
    }

    /// All nodes are gone through from here on. What lies in a folder has that noted anew.
    func forgetFolders() {
        state.withLock { $0.progress.folders = [] }
    }

    /// What a transaction will have to say once it is committed: whoever comes between reckons with it.
    func expect(_ notes: [UnsentBatch.Note]) {
        state.withLock { state in
            for note in notes {
                switch note {
                case .row(let row) where row.node.kind == .folder:
                    state.comingFolders.insert(row.node.id)
                case .dropped(let file): state.comingDropped.insert(file)
                case .row, .gone, .removed, .claimed, .arrived: break
                }
            }
        }
    }

    /// What a transaction has to say, which is committed. It waits for those that were committed with it.
    func add(_ batch: UnsentBatch) {
        state.withLock { $0.waiting.append(batch) }
    }

    /// Writes what waits. It is the turn of the one connection that changes the replica: no transaction is under way.
    func flush() {
        state.withLock { state in
            let batches = state.waiting
            state.waiting = []
            (state.comingFolders, state.comingDropped) = ([], [])
            guard let connection = state.connection, !batches.isEmpty else { return }
            var progress = state.progress
            // The folders are one set, not two of which one is copied with each change.
            state.progress = Progress()
            do {
                try write(batches, connection, &progress)
            } catch {
                if progress.phase != .behind {
                    world.log.warning(
                        "the journal is behind the replica", ["error": .text("\(error)")])
                }
                progress.phase = .behind
                if (error as? SQLiteError)?.isCorrupt == true {
                    state.connection = nil
                    state.isDamaged = true
                }
            }
            state.progress = progress
        }
    }

    private func write(
        _ batches: [UnsentBatch], _ connection: Connection, _ progress: inout Progress
    ) throws {
        var next = progress
        (progress.folders, progress.dropped) = ([], [])
        try connection.transaction {
            for batch in batches {
                try write(batch, isAlone: batches.count == 1, connection, &next)
            }
        }
        progress = next
    }

    private func write(
        _ batch: UnsentBatch, isAlone: Bool, _ connection: Connection, _ progress: inout Progress
    ) throws {
        switch batch.part {
        case .renewal(isFirst: true, _):
            try connection.run("DELETE FROM node")
            try connection.run("DELETE FROM dropped")
            try connection.run("DELETE FROM arrival")
            try connection.run("UPDATE journal SET identity = NULL")
            (progress.phase, progress.folders, progress.dropped) = (.renewing, [], [])
        case .tidying where isAlone && progress.phase == .inStep:
            // Something may have been noted since it was asked whether there is anything, and count on its folder.
            let hasUnsent = try connection.value(
                "SELECT EXISTS (SELECT 1 FROM node WHERE isUnsent <> 0)", of: Bool.self)
            guard hasUnsent == false else { break }
            try connection.run("DELETE FROM node")
            progress.folders = []
        case .change, .renewal, .tidying: break
        }
        // Where it is behind, it is made anew, and has this then; unless the database is lost before.
        for note in batch.notes { try write(note, connection, &progress) }
        if batch.isCutOff { progress.phase = .behind }
        if case .renewal(_, isLast: true) = batch.part, progress.phase == .renewing {
            progress.phase = .inStep
            progress.mostFolders = max(Self.fewFolders, 2 * progress.folders.count)
        }
        let identity = progress.phase == .inStep ? batch.mark.identity : nil
        try connection.run(
            "UPDATE journal SET identity = ?, noted = ?, nodes = max(nodes, ?)", identity,
            batch.mark.noted, batch.mark.nodes)
    }

    private func write(
        _ note: UnsentBatch.Note, _ connection: Connection, _ progress: inout Progress
    ) throws {
        switch note {
        case .gone(let id):
            try connection.run("DELETE FROM node WHERE id = ?", id)
            progress.folders.remove(id)
        case .dropped(let file):
            try connection.run("INSERT OR IGNORE INTO dropped (file) VALUES (?)", file)
            progress.dropped.insert(file)
        case .removed(let file):
            try connection.run("DELETE FROM dropped WHERE file = ?", file)
            progress.dropped.remove(file)
        case .claimed(let row):
            try row.put(into: connection)
        case .arrived(let id):
            try connection.run("DELETE FROM arrival WHERE node = ?", id)
        case .row(let row):
            let values =
                row.node.values(rule)
                + [
                    row.node.isUnsent.sqlite, row.isOffered.sqlite, row.identity.sqlite,
                    row.isBegun.sqlite,
                ]
            try connection.run(UnsentSchema.put, scalars: values)
            if row.node.kind == .folder { progress.folders.insert(row.node.id) }
        }
    }
}
