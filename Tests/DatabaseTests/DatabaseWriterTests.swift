import BasketDatabase
import BasketSupport
import Testing

enum WriterKind: CaseIterable {
    case inline, group

    func make(_ database: TemporaryDatabase) async throws -> any DatabaseWriter {
        _ = try database.withWords()
        return switch self {
        case .inline: InlineWriter(try database.open())
        case .group: try await GroupCommitWriter { try database.open() }
        }
    }
}

@Suite("Every writer")
struct DatabaseWriterTests {
    struct Refused: Error {}

    @Test("makes what it answered visible to readers", arguments: WriterKind.allCases)
    func visible(kind: WriterKind) async throws {
        let database = try TemporaryDatabase()
        let writer = try await kind.make(database)
        try await writer.write { try $0.add("pear") }
        #expect(try database.open(.reader).words() == ["pear"])
        writer.stop()
    }

    @Test("undoes a call that fails, and no other one", arguments: WriterKind.allCases)
    func isolation(kind: WriterKind) async throws {
        let database = try TemporaryDatabase()
        let writer = try await kind.make(database)
        let refused = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<200 {
                group.addTask {
                    do {
                        try await writer.write { db in
                            try db.add("word \(number)")
                            if number.isMultiple(of: 3) { throw Refused() }
                        }
                        return false
                    } catch {
                        return error is Refused
                    }
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(refused == 67)
        #expect(try database.open(.reader).words().count == 133)
        writer.stop()
    }

    @Test("tells of commits only", arguments: WriterKind.allCases)
    func afterCommit(kind: WriterKind) async throws {
        let database = try TemporaryDatabase()
        let writer = try await kind.make(database)
        let told = Told()
        try await writer.write { $0.afterCommit { told.add("yes") } }
        try? await writer.write { db in
            db.afterCommit { told.add("no") }
            throw Refused()
        }
        try await writer.write { _ in }
        #expect(told.all == ["yes"])
        writer.stop()
    }
}

@Suite("A group of commits")
struct GroupCommitWriterTests {
    @Test("fails as a whole when its commit does, and the next one works")
    func commitFails() async throws {
        let database = try TemporaryDatabase()
        _ = try database.withWords()
        let writer = try await GroupCommitWriter {
            let db = try database.open()
            // A deferred foreign key is checked by COMMIT, which then refuses.
            try db.execute(
                """
                CREATE TABLE parent (id INTEGER PRIMARY KEY) STRICT;
                CREATE TABLE child (parent INTEGER REFERENCES parent DEFERRABLE INITIALLY DEFERRED)
                STRICT
                """)
            return db
        }
        await #expect(throws: SQLiteError.self) {
            try await writer.write { try $0.run("INSERT INTO child VALUES (7)") }
        }
        try await writer.write { try $0.add("after") }
        #expect(try database.open(.reader).words() == ["after"])
        writer.stop()
    }

    @Test("comes after whoever is to be alone, and without him")
    func alone() async throws {
        let database = try TemporaryDatabase()
        _ = try database.withWords()
        let writer = try await GroupCommitWriter { try database.open() }
        let (gate, told) = (Semaphore(), Told())
        let write: @Sendable (String, Connection) throws -> Void = { name, db in
            told.add("runs \(name)")
            db.afterCommit { told.add("told \(name)") }
            if name == "first" { gate.wait() }
            try db.add(name)
        }
        await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await writer.write { try write("first", $0) } }
            while told.all.isEmpty { await Task.yield() }
            for number in 1...4 {
                group.addTask { try await writer.write { try write("\(number)", $0) } }
            }
            for _ in 0..<100 { await Task.yield() }
            group.addTask { try await writer.writeAlone { try write("alone", $0) } }
            for _ in 0..<100 { await Task.yield() }
            gate.signal()
        }
        let order = told.all
        #expect(order.prefix(4) == ["runs first", "told first", "runs alone", "told alone"])
        #expect(order.count == 12)
        writer.stop()
    }

    @Test("is done again when a call in it fails halfway, and tells of each commit once")
    func halfDone() async throws {
        let database = try TemporaryDatabase()
        _ = try database.withWords()
        let writer = try await GroupCommitWriter { try database.open() }
        let gate = Semaphore()
        let (told, runs) = (Told(), Told())
        async let first: Void = writer.write { db in
            runs.add("first")
            // The others come into its group meanwhile; the second time, they are in it.
            if runs.all.count == 1 { gate.wait() }
            try db.add("first")
            db.afterCommit { told.add("first") }
        }
        while runs.all.isEmpty { await Task.yield() }
        let refusals = await withTaskGroup(of: Int.self) { group in
            for number in 1...4 {
                group.addTask {
                    do {
                        try await writer.write { db in
                            db.afterCommit { told.add("\(number)") }
                            if number == 1 { throw DatabaseWriterTests.Refused() }
                            try db.add("\(number)")
                            if number == 2 { throw DatabaseWriterTests.Refused() }
                        }
                        return 0
                    } catch {
                        return error is DatabaseWriterTests.Refused ? number : 100
                    }
                }
            }
            // None of them can be done before the first one, which waits.
            await Task.yield()
            gate.signal()
            return await group.reduce(0, +)
        }
        try await first

        #expect(refusals == 1 + 2)
        #expect(told.all.sorted() == ["3", "4", "first"])
        #expect(try database.open(.reader).words().sorted() == ["3", "4", "first"])
        #expect(runs.all.count <= 2)
        writer.stop()
    }

    @Test("moves the log into the file beside its commits, so that it does not grow")
    func movesLog() async throws {
        let database = try TemporaryDatabase()
        _ = try database.withWords()
        let writer = try await GroupCommitWriter(logLimit: 64) { try database.open() }
        for round in 0..<400 {
            try await writer.write { db in
                for number in 0..<20 {
                    try db.add("\(round) \(number) " + String(repeating: "w", count: 500))
                }
            }
            // One who reads all the time must not be in the way for long.
            if round.isMultiple(of: 7) {
                #expect(try database.open(.reader).words().count == (round + 1) * 20)
            }
        }
        let world = World.live(log: .silent)
        let length = try world.files.size(database.path + "-wal")
        // Each round changes at least five pages: two thousand, if nobody ever moved them.
        #expect(length < 1000 * 4096, "the log is \(length) bytes long")
        writer.stop()
        #expect(try database.open(.reader).words().count == 8000)
    }

    @Test("may be larger than the cache, is read back from the log, and undone as a whole")
    func large() async throws {
        let database = try TemporaryDatabase()
        _ = try database.withWords()
        let writer = try await GroupCommitWriter(logLimit: 500) {
            try Connection(path: database.path, mode: .writer, cacheBytes: 256 << 10)
        }
        let long = String(repeating: "w", count: 3000)
        for round in 0..<4 {
            let isRefused = round.isMultiple(of: 2)
            do {
                try await writer.write { db in
                    for number in 0..<1500 {
                        try db.add("\(round) \(number) \(long)")
                        if number.isMultiple(of: 100) {
                            let first = try db.words().first { $0.hasPrefix("\(round) 0 ") }
                            #expect(first?.utf8.count == 3004)
                        }
                    }
                    if isRefused { throw DatabaseWriterTests.Refused() }
                }
                #expect(!isRefused)
            } catch is DatabaseWriterTests.Refused {
                #expect(isRefused)
            }
            let reader = try database.open(.reader)
            #expect(try reader.words().count == (round + 1) / 2 * 1500)
            #expect(try reader.value("PRAGMA integrity_check") == "ok")
        }
        writer.stop()
        #expect(try database.open(.reader).words().count == 3000)
    }

    @Test("does not start when the file cannot be opened")
    func cannotOpen() async {
        await #expect(throws: SQLiteError.self) {
            _ = try await GroupCommitWriter {
                try Connection(path: "/nowhere/at/all.db", mode: .writer)
            }
        }
    }

    @Test("is bounded, and loses no call for that")
    func limited() async throws {
        let database = try TemporaryDatabase()
        _ = try database.withWords()
        let writer = try await GroupCommitWriter(groupLimit: 2) { try database.open() }
        try await withThrowingTaskGroup { group in
            for number in 0..<50 {
                group.addTask { try await writer.write { try $0.add("\(number)") } }
            }
            try await group.waitForAll()
        }
        #expect(try database.open(.reader).words().count == 50)
        writer.stop()
    }
}

@Suite("A pool of readers")
struct ReaderPoolTests {
    @Test("reads from many tasks at once")
    func parallel() async throws {
        let database = try TemporaryDatabase()
        try database.withWords().add("fig")
        let pool = ReaderPool(path: database.path, idleLimit: 2)
        try await withThrowingTaskGroup { group in
            for _ in 0..<100 {
                group.addTask {
                    let words = try pool.read { try $0.words() }
                    #expect(words == ["fig"])
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("stops a query whose task is cancelled", .timeLimit(.minutes(60)))
    func cancelled() async throws {
        let database = try TemporaryDatabase()
        _ = try database.withWords()
        let pool = ReaderPool(path: database.path)
        let started = Told()
        let query = Task {
            try await pool.readInterruptibly { db in
                started.add("yes")
                let endless =
                    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
                return try db.value(endless, of: Int.self)
            }
        }
        while started.all.isEmpty { await Task.yield() }
        query.cancel()
        await #expect(throws: (any Error).self) { try await query.value }
        #expect(try pool.read { try $0.words() }.isEmpty)
    }
}
