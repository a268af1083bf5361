import BasketSupport
import Glibc

/// Where programs that run in the background say what happens to them.
enum ServiceLog {
    private static let variable = "BASKET_LOG_LEVEL"

    /// - Returns: the world with that log in it, and what is to be stopped last.
    static func open(
        _ invocation: Invocation, _ environment: [String: String]
    ) throws -> (World, LogWriter) {
        let text = invocation.value("log-level") ?? environment[variable]
        let level: Log.Level
        do {
            level = try text.map { try Log.Level.read($0) } ?? .info
        } catch let error as SettingMismatch {
            throw CommandFailure(
                "bad_log_level", "the level of the log is \(error.expected).", exitCode: .usage)
        }
        let writer = LogWriter(.text, now: World.wallClock, descriptor: STDERR_FILENO)
        return (World.live(log: writer.log(level: level)), writer)
    }
}
