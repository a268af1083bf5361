import BasketSupport
import Synchronization

/// Commits in groups: calls that arrive while a commit is on its way share the next one, and one
/// `fsync` serves all. A call that fails does not take the others along: most often it has changed
/// nothing yet, else the group is undone and done again. So a call may run twice before its answer.
///
/// Where it may, it commits on the thread of who calls while nobody else does: waking another thread, and being woken by
/// that, can take longer than a small change itself.
package final class GroupCommitWriter: DatabaseWriter {
    /// What whoever commits has for himself.
    private struct Desk: @unchecked Sendable {
        // Unchecked: a connection is not Sendable. It lies under a lock from the moment on in which it is there.
        let connection: Connection
        let mover: LogMover?
    }

    /// One waiting call.
    private struct Call: Sendable {
        /// Whether no other may be in its group.
        var isAlone = false
        /// Whether it is answered only when the disk has it.
        let waitsForDisk: Bool
        /// Does the work inside of the group's transaction.
        let run: @Sendable (Connection) throws -> Void
        /// Answers, once it is known how the commit ended.
        let finish: @Sendable ((any Error)?) -> Void
    }

    /// The calls of one transaction, in the order in which they came.
    private struct Group {
        private var entries: [(call: Call, refusal: (any Error)?)]
        private var position = 0

        init(_ first: Call) {
            entries = [(first, nil)]
        }

        var count: Int { entries.count }
        /// The one whose turn it is.
        var current: Call? { position < entries.count ? entries[position].call : nil }

        mutating func append(_ call: Call) {
            entries.append((call, nil))
        }

        mutating func advance(refusing error: (any Error)? = nil) {
            entries[position].refusal = error
            position += 1
        }

        mutating func startAgain() {
            for index in entries.indices { entries[index].refusal = nil }
            position = 0
        }

        /// - Parameter error: why the whole of it failed.
        func answer(_ error: (any Error)?) {
            for (call, refusal) in entries { call.finish(refusal ?? error) }
        }
    }

    private struct State {
        /// Those who go alone are in front.
        var waiting: ArraySlice<Call> = []
        var isStopping = false
        var borrowed = 0

        mutating func accept(_ call: Call) {
            guard call.isAlone else { return waiting.append(call) }
            let last = waiting.firstIndex { !$0.isAlone } ?? waiting.endIndex
            waiting.insert(call, at: last)
        }
    }

    /// Calls in one commit: so that none waits for long behind others.
    private let groupLimit: Int
    /// Pages in the log that are worth moving into the file.
    private let logLimit: Int
    private let borrowsThreads: Bool
    private let whenLost: @Sendable (SQLiteError) -> Never
    /// Nil before it has begun and after it has ended.
    private let desk = Mutex<Desk?>(nil)
    private let state = Mutex(State())
    private let wakeUp = Semaphore()
    private let thread = Mutex<Thread?>(nil)

    /// - Parameters:
    ///   - borrowsThreads: whether a call that comes alone, on a thread that may wait for a disk, is committed there. Where
    ///     many come at a time that would have each wait for the disk by itself.
    ///   - whenLost: ends the process, because the disk has lost what was moved into the database's
    ///     file. Nothing that was answered is lost: the next start reads it from the log.
    ///   - open: makes the connection, which nobody else uses.
    package init(
        groupLimit: Int = 256, logLimit: Int = 8_000, borrowsThreads: Bool = false,
        whenLost: @escaping @Sendable (SQLiteError) -> Never = { fatalError("\($0)") },
        open: @escaping @Sendable () throws -> Connection
    ) async throws {
        precondition(groupLimit > 0, "a group holds at least one call")
        self.groupLimit = groupLimit
        self.logLimit = logLimit
        self.borrowsThreads = borrowsThreads
        self.whenLost = whenLost
        do {
            try await start(open)
        } catch {
            // It has ended, or is about to.
            thread.withLock { $0.take() }?.join()
            throw error
        }
    }

    private func start(
        _ open: @escaping @Sendable () throws -> Connection
    ) async throws {
        try await withCheckedThrowingContinuation {
            (opened: CheckedContinuation<Void, any Error>) in
            let thread = Thread(name: "writer") {
                do {
                    let connection = try open()
                    connection.takeOverLog()
                    let mover = connection.path.map { [logLimit = self.logLimit] path in
                        LogMover(path: path, limit: logLimit, whenLost: self.whenLost)
                    }
                    let desk = Desk(connection: connection, mover: mover)
                    self.desk.withLock { $0 = desk }
                    opened.resume()
                    self.serve()
                } catch {
                    opened.resume(throwing: error)
                }
            }
            self.thread.withLock { $0 = thread }
        }
    }

    package func write<Result: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> Result
    ) async throws -> Result {
        if let outcome = writeHere(waitsForDisk: true, body) { return try outcome.get() }
        return try await writeInGroup(waitsForDisk: true, body)
    }

    package func writeSoon<Result: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> Result
    ) async throws -> Result {
        if let outcome = writeHere(waitsForDisk: false, body) { return try outcome.get() }
        // With others that wait, it costs nothing to wait.
        return try await writeInGroup(waitsForDisk: !borrowsThreads, body)
    }

    package func writeAlone<Result: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> Result
    ) async throws -> Result {
        try await writeInGroup(isAlone: true, waitsForDisk: true, body)
    }

    private func writeInGroup<Result: Sendable>(
        isAlone: Bool = false, waitsForDisk: Bool,
        _ body: @escaping @Sendable (Connection) throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            let box = ResultBox<Result>()
            let call = Call(
                isAlone: isAlone, waitsForDisk: waitsForDisk,
                run: { connection in box.fill(try body(connection)) },
                finish: { error in
                    if let error {
                        continuation.resume(throwing: error)
                    } else {
                        continuation.resume(returning: box.take())
                    }
                })
            let isTooLate = state.withLock { state in
                if !state.isStopping { state.accept(call) }
                return state.isStopping
            }
            // A handler may outlive its connection, and the time that a stop gives it.
            if isTooLate { return continuation.resume(throwing: CancellationError()) }
            wakeUp.signal()
        }
    }

    package var answersEarly: Bool { borrowsThreads }

    /// - Returns: nil where others wait, or the thread is none that may wait for the disk.
    private func writeHere<Value: Sendable>(
        waitsForDisk: Bool, _ body: (Connection) throws -> Value
    ) -> Result<Value, any Error>? {
        guard borrowsThreads, Thread.mayWait else { return nil }
        let isNext = state.withLock { state in
            guard state.waiting.isEmpty, !state.isStopping, state.borrowed < Self.mostBorrowed
            else { return false }
            state.borrowed += 1
            return true
        }
        guard isNext else { return nil }
        defer { state.withLock { $0.borrowed -= 1 } }
        return desk.withLock { desk in
            guard let desk else { return nil }
            desk.connection.wait(forDisk: waitsForDisk)
            let outcome = Result { try desk.connection.transaction { try body(desk.connection) } }
            // Also for what moves the log.
            desk.connection.wait(forDisk: true)
            desk.mover?.look(at: desk.connection)
            return outcome
        }
    }

    /// Threads at the desk, and waiting for whoever is. More would be kept from what needs no commit.
    private static let mostBorrowed = 2

    package func rest() {
        desk.withLock { desk in
            guard let desk else { return }
            desk.mover?.moveAll(of: desk.connection)
            desk.connection.releaseMemory()
        }
    }

    package func stop() {
        let thread = thread.withLock { thread in
            defer { thread = nil }
            return thread
        }
        guard let thread else { return }
        state.withLock { $0.isStopping = true }
        wakeUp.signal()
        thread.join()
    }

    private func serve() {
        while true {
            wakeUp.wait()
            while commitGroup() {}
            if state.withLock({ $0.isStopping && $0.waiting.isEmpty }) { break }
        }
        let desk = desk.withLock { $0.take() }
        desk?.mover?.stop()
    }

    /// A group that nobody in it waits for the disk with is joined by nobody who does.
    /// - Returns: false when nothing was waiting.
    private func commitGroup() -> Bool {
        guard let first = state.withLock({ $0.waiting.popFirst() }) else { return false }
        var group = Group(first)
        let failure = desk.withLock { desk -> (any Error)? in
            guard let desk else { return CancellationError() }
            desk.connection.wait(forDisk: first.waitsForDisk)
            defer {
                // Also for what moves the log.
                desk.connection.wait(forDisk: true)
                desk.mover?.look(at: desk.connection)
            }
            do {
                do {
                    try commit(&group, on: desk.connection, guarded: false)
                } catch is Connection.HalfDone {
                    // Everything was undone, and is done again so that only the one that failed is.
                    group.startAgain()
                    try commit(&group, on: desk.connection, guarded: true)
                }
                return nil
            } catch {
                return error
            }
        }
        group.answer(failure)
        return true
    }

    /// Runs the group's calls, and those that come meanwhile, in one transaction.
    ///
    /// - Parameter guarded: gives each a savepoint, so that it can fail after it has changed something.
    private func commit(_ group: inout Group, on connection: Connection, guarded: Bool) throws {
        try connection.transaction {
            while let call = group.current {
                do {
                    if guarded {
                        try connection.transaction { try call.run(connection) }
                    } else {
                        try connection.withoutSavepoint { try call.run(connection) }
                    }
                    group.advance()
                } catch let error as Connection.HalfDone {
                    throw connection.isInTransaction ? error : error.cause
                } catch {
                    group.advance(refusing: error)
                    // After some errors SQLite has undone the whole group: nobody in it may
                    // hear that it worked.
                    guard connection.isInTransaction else { throw error }
                }
                if !call.isAlone, group.current == nil, group.count < groupLimit,
                    let more = nextInGroup(waitingForDisk: connection.waitsForDisk)
                {
                    group.append(more)
                }
            }
        }
    }

    /// - Parameter waits: whether it may be one who waits for the disk.
    private func nextInGroup(waitingForDisk waits: Bool) -> Call? {
        state.withLock { state in
            guard let first = state.waiting.first, !first.isAlone, waits || !first.waitsForDisk
            else { return nil }
            return state.waiting.popFirst()
        }
    }
}

/// Carries a call's result from the writer's thread to its answer.
private final class ResultBox<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)

    func fill(_ result: Value) {
        value.withLock { $0 = result }
    }

    func take() -> Value {
        guard let result = value.withLock({ $0 }) else {
            preconditionFailure("a call was finished before it ran")
        }
        return result
    }
}
