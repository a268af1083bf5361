import Glibc
import Synchronization

/// Writes lines without holding up whoever logs: they go into a buffer, and a thread of its own
/// brings them out, a tenth of a second later, and at once where a warning came or much has
/// gathered. When the other end is stuck, lines beyond the limit are dropped, and counted in a line.
///
/// It lives until `stop`, which the program calls last.
package final class LogWriter: Sendable {
    /// So much gathers before a write, unless time or a warning says otherwise.
    fileprivate static let batchBytes = 64 * 1024
    /// So much waits when nothing can be written.
    package static let mostBytes = 1024 * 1024
    /// What gathers slowly waits so long, to be written together.
    package static let usualInterval = Duration.milliseconds(100)

    fileprivate struct State {
        var formatter: LogFormatter
        var buffer: [UInt8] = []
        var dropped: Int64 = 0
        /// Whether `hurry` was, or is about to be, signalled for what is in the buffer.
        var isHurried = false
        var isStopping = false
        /// Each is signalled once what is in the buffer now was written.
        var flushes: [Semaphore] = []
    }

    private let state: Mutex<State>
    private let interval: Duration
    private let now: @Sendable () -> Timestamp
    private let output: @Sendable ([UInt8]) -> Void
    /// Signalled when the first line comes into an empty buffer.
    private let filled = Semaphore()
    private let hurry = Semaphore()
    private let thread = Mutex<Thread?>(nil)

    /// - Parameters:
    ///   - now: the time of day.
    ///   - interval: how long a line may wait for others.
    ///   - output: takes whole lines; called from one thread at a time, and may block.
    package init(
        _ format: LogFormat, now: @escaping @Sendable () -> Timestamp,
        interval: Duration = usualInterval, output: @escaping @Sendable ([UInt8]) -> Void
    ) {
        self.interval = interval
        state = Mutex(State(formatter: LogFormatter(format)))
        self.now = now
        self.output = output
        let started = Thread(name: "log") { self.run() }
        thread.withLock { $0 = started }
    }

    /// A writer for a descriptor of the process, such as standard error.
    package convenience init(
        _ format: LogFormat, now: @escaping @Sendable () -> Timestamp, descriptor: CInt
    ) {
        self.init(format, now: now) { _ = writeAll($0, to: descriptor) }
    }

    /// A log whose lines come here.
    package func log(level: Log.Level) -> Log {
        Log(level: level) { self.write($0) }
    }

    /// Returns when every line that was logged before is written.
    package func flush() {
        let done = Semaphore()
        let isStopped = state.withLock { state in
            guard !state.isStopping else { return true }
            state.flushes.append(done)
            return false
        }
        guard !isStopped else { return }
        wake()
        done.wait()
    }

    /// Writes what is left and ends the thread. Lines that still come are written by their caller.
    package func stop() {
        state.withLock { $0.isStopping = true }
        wake()
        let ending = thread.withLock { $0.take() }
        ending?.join()
    }

    private func write(_ entry: Log.Entry) {
        let moment = now()
        let (isFirst, isUrgent, late) = state.withLock { state in
            state.add(entry, at: moment)
        }
        if isFirst { filled.signal() }
        if isUrgent { hurry.signal() }
        if let late { output(late) }
    }

    /// Sees to it that the thread looks after the buffer now, whatever is in it.
    private func wake() {
        let isNews = state.withLock { state in
            defer { state.isHurried = true }
            return !state.isHurried
        }
        filled.signal()
        if isNews { hurry.signal() }
    }

    private func run() {
        var lines: [UInt8] = []
        while true {
            filled.wait()
            let wasHurried = hurry.wait(upTo: interval)
            let moment = now()
            let (isHurried, isStopping, flushes) = state.withLock { state in
                state.take(into: &lines, at: moment)
            }
            // Each hurry has its signal, and each signal is consumed, else they would add up.
            if isHurried && !wasHurried { hurry.wait() }
            if !lines.isEmpty { output(lines) }
            lines.removeAll(keepingCapacity: true)
            for flush in flushes { flush.signal() }
            if isStopping { return }
        }
    }
}

extension LogWriter.State {
    /// - Returns: whether the buffer was empty, whether it should be written at once, and, when the
    ///   thread is gone, the line itself.
    fileprivate mutating func add(
        _ entry: Log.Entry, at moment: Timestamp
    ) -> (isFirst: Bool, isUrgent: Bool, late: [UInt8]?) {
        guard !isStopping else {
            var line: [UInt8] = []
            formatter.append(entry, at: moment, to: &line)
            return (false, false, line)
        }
        let before = buffer.count
        formatter.append(entry, at: moment, to: &buffer)
        guard buffer.count <= LogWriter.mostBytes else {
            buffer.removeLast(buffer.count - before)
            dropped += 1
            return (false, false, nil)
        }
        let isUrgent =
            !isHurried && (entry.level >= .warning || buffer.count >= LogWriter.batchBytes)
        if isUrgent { isHurried = true }
        return (before == 0, isUrgent, nil)
    }

    /// Hands the lines over in exchange for an empty buffer, with a last one about those that are
    /// missing.
    fileprivate mutating func take(
        into lines: inout [UInt8], at moment: Timestamp
    ) -> (isHurried: Bool, isStopping: Bool, flushes: [Semaphore]) {
        swap(&buffer, &lines)
        if dropped > 0 {
            let entry = Log.Entry(
                level: .warning, message: "log lines dropped", fields: [("count", .number(dropped))]
            )
            formatter.append(entry, at: moment, to: &lines)
            dropped = 0
        }
        defer {
            isHurried = false
            flushes = []
        }
        return (isHurried, isStopping, flushes)
    }
}
