import BasketSupport
import Synchronization

/// Moves the pages of the write-ahead log into the database's file beside the writer, on a connection
/// and a thread of its own: the writer would stand still for as long as thousands of pages take. What
/// is appended during a pass remains for the writer to move, so that the log can begin anew: few pages,
/// most often. What a pass moved is on the disk after it, or the writer would wait for that as well.
///
/// A pass that fails moves less and is made up for by a later one: the log keeps what was not moved. But
/// when the disk has lost what was moved, the log must be kept as a whole until it is read anew, at the
/// next start; so then the process ends.
final class LogMover: Sendable {
    private enum Phase {
        case idle
        case asked
        case moving
        /// A pass ended, and the writer moves the rest: at each commit, until no reader is in the
        /// way, for only then can the log begin anew.
        case finishing
    }

    private struct State {
        var phase = Phase.idle
        var isStopping = false
        /// How many of the log's pages need no other pass.
        var done = 0
        /// The log's length when the writer last looked, to see that it began anew.
        var length = 0
    }

    private let state = Mutex(State())
    private let wakeUp = Semaphore()
    private let thread = Mutex<Thread?>(nil)
    /// So many pages are worth a pass.
    private let limit: Int
    private let whenLost: @Sendable (SQLiteError) -> Never

    init(path: String, limit: Int, whenLost: @escaping @Sendable (SQLiteError) -> Never) {
        self.limit = limit
        self.whenLost = whenLost
        let thread = Thread(name: "log-mover") { self.serve(path) }
        self.thread.withLock { $0 = thread }
    }

    /// Called by the writer after each commit, on its thread.
    func look(at connection: Connection) {
        let length = connection.logPages
        let movesRest = state.withLock { state in
            if length < state.length { state.done = 0 }
            state.length = length
            switch state.phase {
            case .asked, .moving: return false
            case .finishing where length - state.done < limit / 4 || length > 4 * limit:
                // Where the writer outruns the passes, it halts for once: the log must not grow for ever.
                return true
            case .idle where length - state.done < limit: return false
            case .finishing, .idle:
                state.phase = .asked
                wakeUp.signal()
                return false
            }
        }
        guard movesRest else { return }
        let moved = attempt { () throws(SQLiteError) in try connection.moveLog() }
        state.withLock { state in
            state.done = moved ?? length
            if state.done >= length { state.phase = .idle }
        }
    }

    /// Called by the writer while nobody writes.
    func moveAll(of connection: Connection) {
        guard connection.logPages > 0 else { return }
        let moved = attempt { () throws(SQLiteError) in try connection.moveLog() }
        guard let moved else { return }
        state.withLock { $0.done = moved }
    }

    private func attempt<Result>(_ body: () throws(SQLiteError) -> Result) -> Result? {
        do throws(SQLiteError) {
            return try body()
        } catch {
            if error.isLostWrite { whenLost(error) }
            return nil
        }
    }

    /// Waits for the pass that is under way.
    func stop() {
        let thread = thread.withLock { $0.take() }
        state.withLock { $0.isStopping = true }
        wakeUp.signal()
        thread?.join()
    }

    private func serve(_ path: String) {
        var connection: Connection?
        while true {
            wakeUp.wait()
            let isAsked = state.withLock { state in
                guard !state.isStopping, state.phase == .asked else { return false }
                state.phase = .moving
                return true
            }
            if isAsked {
                connection = connection ?? (try? Connection(path: path, mode: .reader))
                let moved = attempt { () throws(SQLiteError) in
                    let moved = try connection?.moveLog()
                    try connection?.syncFile()
                    return moved
                }
                state.withLock { state in
                    state.phase = .finishing
                    // A failure is not tried again at once: only when as many pages more are there.
                    state.done = (moved ?? nil) ?? state.length
                }
            }
            if state.withLock({ $0.isStopping }) { return }
        }
    }
}
