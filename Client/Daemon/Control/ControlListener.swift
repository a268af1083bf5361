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

    private struct State {
        var conversations: [Int32: ControlConversation] = [:]
        var isStopped = false
    }

    private let path: String
    private let listening: Int32
    private let longestLine: Int
    private let answer: Answer
    private let log: Log
    private let state = Mutex(State())

    /// Listens from now on; who had the path before is not there any more.
    /// - Parameter longestLine: who sends a longer one is told so by `answer`, and heard no further.
    package init(
        at path: String, longestLine: Int, log: Log, answer: @escaping Answer
    ) throws {
        self.path = path
        self.longestLine = longestLine
        self.answer = answer
        self.log = log
        guard let address = UnixAddress(path) else {
            throw FileError("listen at", path, code: ENAMETOOLONG)
        }
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let raw = socket(AF_UNIX, kind, 0)
        guard raw >= 0 else { throw FileError("listen at", path, code: errno) }
        unlink(path)
        // Nobody can reach it before it listens, and then only its owner.
        guard address.withPointer({ bind(raw, $0, $1) }) == 0, chmod(path, 0o600) == 0,
            listen(raw, Self.waitingLine) == 0
        else {
            let code = errno
            close(raw)
            throw FileError("listen at", path, code: code)
        }
        listening = raw
        Thread(name: "control") { [self] in accept() }.detach()
    }

    /// Hears nobody any more.
    package func stop() {
        let conversations = state.withLock { state in
            state.isStopped = true
            defer { state.conversations = [:] }
            return state.conversations.values.map(\.self)
        }
        unlink(path)
        shutdown(listening, Int32(SHUT_RDWR))
        for conversation in conversations { conversation.end() }
    }

    private func accept() {
        defer { close(listening) }
        while true {
            let raw = Glibc.accept(listening, nil, nil)
            if raw >= 0 { _ = fcntl(raw, F_SETFD, FD_CLOEXEC) }
            if state.withLock({ $0.isStopped }) {
                if raw >= 0 { close(raw) }
                return
            }
            guard raw >= 0 else {
                if errno == EINTR || errno == ECONNABORTED { continue }
                // No file is left to be opened: some come free again.
                usleep(100_000)
                continue
            }
            welcome(raw)
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
