import BasketSupport
import FileProviderHost
import Glibc
import Synchronization

/// Shows how far something is: a bar that stays in its line on a terminal, plain lines elsewhere, JSON for scripts.
final class ProgressMeter: Sendable {
    private static let barLength = 24

    private let console: Console
    private let asJSON: Bool
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private let last = Mutex("")

    init(_ console: Console, asJSON: Bool) {
        self.console = console
        self.asJSON = asJSON
    }

    func show(_ progress: ControlProgress) {
        if asJSON { return console.print(JSONText.line(progress)) }
        let line = text(progress)
        let isNew = last.withLock { last in
            defer { last = line }
            return last != line
        }
        guard isNew else { return }
        if isTerminal {
            console.write("\r\u{1B}[K\(line)")
        } else {
            console.say(line)
        }
    }

    /// Something else that is to be known meanwhile; the same only once.
    func say(_ text: String) {
        let isNew = last.withLock { last in
            defer { last = text }
            return last != text
        }
        guard isNew, !asJSON else { return }
        end()
        console.say(text)
    }

    /// The line is free again.
    func end() {
        if isTerminal, !asJSON, last.withLock({ !$0.isEmpty }) { console.write("\r\u{1B}[K") }
    }

    private func text(_ progress: ControlProgress) -> String {
        let totals = [progress.uploads, progress.downloads]
        let bytes = totals.reduce(0) { $0 + $1.bytes }
        let done = totals.reduce(0) { $0 + $1.completedBytes }
        let waiting = Words.count(progress.pending, "item waits", "items wait")
        guard bytes > 0 else { return waiting }
        let share = min(1, Double(done) / Double(bytes))
        let filled = Int(share * Double(Self.barLength))
        let bar =
            String(repeating: "#", count: filled)
            + String(repeating: ".", count: Self.barLength - filled)
        return "[\(bar)] \(Words.bytes(done)) of \(Words.bytes(bytes)), \(waiting)"
    }
}
