import BasketSupport
import Synchronization

/// Commits in groups: calls that arrive while a commit is on its way share the next one, and one
/// `fsync` serves all. A call that fails does not take the others along: most often it has changed
/// nothing yet, else the group is undone and done again. So a call may run twice before its answer.
package final class GroupCommitWriter: DatabaseWriter {
    /// One waiting call.
    private struct Call: Sendable {
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
        var waiting: ArraySlice<Call> = []
        var isStopping = false
    }

    /// Calls in one commit: so that none waits for long behind others.
    private let groupLimit: Int
    /// Pages in the log that are worth moving into the file.
    private let logLimit: Int
    private let whenLost: @Sendable (SQLiteError) -> Never
    private let state = Mutex(State())
    private let wakeUp = Semaphore()
    private let thread = Mutex<Thread?>(nil)

    /// - Parameters:
    ///   - whenLost: ends the process, because the disk has lost what was moved into the database's
    ///     file. Nothing that was answered is lost: the next start reads it from the log.
    ///   - open: makes the connection, on the thread that will be the only one to use it.
    package init(
        groupLimit: Int = 256, logLimit: Int = 8_000,
        whenLost: @escaping @Sendable (SQLiteError) -> Never = { fatalError("\($0)") },
        open: @escaping @Sendable () throws -> Connection
    ) async throws {
        precondition(groupLimit > 0, "a group holds at least one call")
        self.groupLimit = groupLimit
        self.logLimit = logLimit
        self.whenLost = whenLost
        do {
            try await start(open)
        } catch {
            // It has ended, or is about to.
            thread.withLock { $0.take() }?.join()
            throw error
        }
    }

    private func start(_ open: @escaping @Sendable () throws -> Connection) async throws {
        try await withCheckedThrowingContinuation {
            (opened: CheckedContinuation<Void, any Error>) in
            let thread = Thread(name: "writer") {
                do {
                    let connection = try open()
                    opened.resume()
                    self.serve(connection)
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
        try await withCheckedThrowingContinuation { continuation in
            let box = ResultBox<Result>()
            let call = Call(
                run: { connection in box.fill(try body(connection)) },
                finish: { error in
                    if let error {
                        continuation.resume(throwing: error)
                    } else {
                        continuation.resume(returning: box.take())
                    }
                })
            let isTooLate = state.withLock { state in
                if !state.isStopping { state.waiting.append(call) }
                return state.isStopping
            }
            // A handler may outlive its connection, and the time that a stop gives it.
            if isTooLate { return continuation.resume(throwing: CancellationError()) }
            wakeUp.signal()
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

    private func serve(_ connection: Connection) {
        connection.takeOverLog()
        let mover = connection.path.map { LogMover(path: $0, limit: logLimit, whenLost: whenLost) }
        defer { mover?.stop() }
        while true {
            wakeUp.wait()
            while commitGroup(on: connection) { mover?.look(at: connection) }
            if state.withLock({ $0.isStopping && $0.waiting.isEmpty }) { return }
        }
    }

    /// False when nothing was waiting.
    private func commitGroup(on connection: Connection) -> Bool {
        guard let first = next() else { return false }
        var group = Group(first)
        do {
            do {
                try commit(&group, on: connection, guarded: false)
            } catch is Connection.HalfDone {
                // Everything was undone, and is done again so that only the one that failed is.
                group.startAgain()
                try commit(&group, on: connection, guarded: true)
            }
            group.answer(nil)
        } catch {
            group.answer(error)
        }
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
                if group.current == nil, group.count < groupLimit, let more = next() {
                    group.append(more)
                }
            }
        }
    }

    private func next() -> Call? {
        state.withLock { $0.waiting.popFirst() }
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
