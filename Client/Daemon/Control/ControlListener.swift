import BasketSupport
import CLinux
import Glibc
import Synchronization

/// A Unix socket at which a person's programs ask: lines in, lines out. Who belongs to somebody else is not heard, and
/// learns nothing.
package final class ControlListener: Sendable {
    /// Answers one line, by any number of lines.
    package typealias Answer =
        @Sendable (_ line: [UInt8], _ send: @escaping @Sendable ([UInt8]) async -> Void) async ->
        Void

    private static let mostConversations = 64
    private static let waitingLine: Int32 = 16

    /// How often it is looked whether anybody can come still: what lies in a person's place for sockets goes with their last
    /// log-in, and those who stay are not asked.
    private static let lookInterval: Int32 = 2000

    private struct State {
        var listening: ListeningSocket
        var conversations: [Int32: ControlConversation] = [:]
        var isStopped = false
    }

    private let path: String
    private let longestLine: Int
    private let answer: Answer
    private let log: Log
    private let state: Mutex<State>

    /// Listens from now on; who had the path before is not there any more.
    /// - Parameter longestLine: who sends a longer one is told so by `answer`, and heard no further.
    package init(
        at path: String, longestLine: Int, log: Log, answer: @escaping Answer
    ) throws {
        self.path = path
        self.longestLine = longestLine
        self.answer = answer
        self.log = log
        state = Mutex(State(listening: try ListeningSocket(at: path, waiting: Self.waitingLine)))
        Thread(name: "control") { [self] in accept() }.detach()
    }

    /// Hears nobody any more.
    package func stop() {
        let (listening, conversations) = state.withLock { state in
            state.isStopped = true
            defer { state.conversations = [:] }
            return (state.listening, state.conversations.values.map(\.self))
        }
        if listening.isThere { unlink(path) }
        listening.shut()
        for conversation in conversations { conversation.end() }
    }

    private func accept() {
        while true {
            let listening = state.withLock { $0.listening }
            let isSomebodyThere = listening.waitForSomebody(upTo: Self.lookInterval)
            if state.withLock({ $0.isStopped }) { return }
            guard isSomebodyThere else {
                if !listening.isThere { listenAgain() }
                continue
            }
            let raw = listening.accept()
            guard raw >= 0 else {
                if errno == EINTR || errno == ECONNABORTED || errno == EAGAIN { continue }
                // No file is left to be opened: some come free again.
                usleep(100_000)
                continue
            }
            welcome(raw)
        }
    }

    /// The folder may be there again by now, of a person who has logged in once more. Who has the path is left alone.
    private func listenAgain() {
        var facts = stat()
        guard lstat(path, &facts) != 0, errno == ENOENT else { return }
        do {
            let folder = LinuxFileSystem.folder(of: path)
            if mkdir(folder, 0o700) != 0, errno != EEXIST { return }
            let again = try ListeningSocket(at: path, waiting: Self.waitingLine)
            state.withLock { state in
                state.listening = again
                if state.isStopped { again.shut() }
            }
            log.notice("the control socket was gone, and is there again", ["path": .text(path)])
        } catch {
            log.warning(
                "the control socket is gone, and cannot be made again", ["error": .text("\(error)")]
            )
        }
    }

    private func welcome(_ raw: Int32) {
        var (user, process) = (uid_t.max, pid_t())
        guard basket_peer(raw, &user, &process) == 0, user == geteuid() || user == 0 else {
            log.warning(
                "somebody else has knocked at the control socket",
                ["user": .number(Int64(user)), "process": .number(Int64(process))])
            close(raw)
            return
        }
        let conversation = ControlConversation(raw, longestLine: longestLine, answer: answer)
        let isWelcome = state.withLock { state in
            guard !state.isStopped, state.conversations.count < Self.mostConversations else {
                return false
            }
            state.conversations[raw] = conversation
            return true
        }
        guard isWelcome else {
            close(raw)
            return
        }
        Thread(name: "conversation") { [self] in
            conversation.run()
            // Before anybody else gets its number.
            state.withLock { _ = $0.conversations.removeValue(forKey: raw) }
            close(raw)
        }.detach()
    }
}
