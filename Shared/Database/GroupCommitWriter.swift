import BasketSupport
import Synchronization

/// Commits in groups: calls that arrive while a commit is on its way share the next one. Each has a
/// savepoint of its own, so one that fails does not take the others along; one `fsync` serves all.
package final class GroupCommitWriter: DatabaseWriter {
    /// One waiting call.
    private struct Call: Sendable {
        /// Does the work inside of its savepoint.
        let run: @Sendable (Connection) throws -> Void
        /// Answers, once it is known how the commit ended.
        let finish: @Sendable ((any Error)?) -> Void
    }

    private struct State {
        var waiting: ArraySlice<Call> = []
        var isStopping = false
    }

    /// Calls in one commit: so that none waits for long behind others.
    private let groupLimit: Int
    /// Pages in the log that are worth moving into the file.
    private let logLimit: Int
    private let state = Mutex(State())
    private let wakeUp = Semaphore()
    private let thread = Mutex<Thread?>(nil)

    /// - Parameter open: makes the connection, on the thread that will be the only one to use it.
    package init(
        groupLimit: Int = 256, logLimit: Int = 8_000,
        open: @escaping @Sendable () throws -> Connection
    ) async throws {
        precondition(groupLimit > 0, "a group holds at least one call")
        self.groupLimit = groupLimit
        self.logLimit = logLimit
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
            state.withLock { state in
                precondition(!state.isStopping, "a call after the writer was stopped")
                state.waiting.append(call)
            }
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
        let mover = connection.path.map { LogMover(path: $0, limit: logLimit) }
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
        var done: [Call] = []
        var refused: [(Call, any Error)] = []
        do {
            try connection.transaction {
                var call: Call? = first
                while let current = call {
                    do {
                        try connection.transaction { try current.run(connection) }
                        done.append(current)
                    } catch {
                        refused.append((current, error))
                        // After some errors SQLite has undone the whole group: nobody in it may
                        // hear that it worked.
                        guard connection.isInTransaction else { throw error }
                    }
                    call = done.count + refused.count < groupLimit ? next() : nil
                }
            }
            for call in done { call.finish(nil) }
        } catch {
            for call in done { call.finish(error) }
            // The transaction did not even begin: nobody else would answer the first one.
            if done.isEmpty, refused.isEmpty { first.finish(error) }
        }
        for (call, error) in refused { call.finish(error) }
        return true
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
