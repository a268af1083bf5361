import BasketSupport
import Glibc
import Synchronization

/// One program that asks: any number of questions at a time, whose answers come as they are ready.
final class ControlConversation: Sendable {
    private static let mostQuestions = 64
    private static let lookInterval = Duration.milliseconds(200)
    /// Who does not read for so long is not waited for.
    private static let patience = timeval(tv_sec: 30, tv_usec: 0)

    private struct State {
        var questions: [Int: Task<Void, Never>] = [:]
        var next = 0
        var isEnded = false
    }

    private let raw: Int32
    private let longestLine: Int
    private let answer: ControlListener.Answer
    private let state = Mutex(State())
    private let room = Semaphore()
    /// One line at a time.
    private let sending = Mutex(())

    init(_ raw: Int32, longestLine: Int, answer: @escaping ControlListener.Answer) {
        self.raw = raw
        self.longestLine = longestLine
        self.answer = answer
        var patience = Self.patience
        setsockopt(
            raw, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    }

    /// Hears, on this thread, what is asked, until the other end has gone and every answer has ended.
    func run() {
        var lines = LineReader(raw, longest: longestLine)
        while let line = lines.next() {
            guard begin(line) else { break }
        }
        // Who asks nothing more may still wait for answers.
        while state.withLock({ !$0.questions.isEmpty && !$0.isEnded }) {
            if hasGone { end() }
            _ = room.wait(upTo: Self.lookInterval)
        }
        end()
        while state.withLock({ !$0.questions.isEmpty }) { room.wait() }
    }

    /// Whether nobody is at the other end, neither to ask nor to hear.
    private var hasGone: Bool {
        var look = pollfd(fd: raw, events: 0, revents: 0)
        return poll(&look, 1, 0) > 0 && look.revents & Int16(POLLHUP | POLLERR) != 0
    }

    /// Nobody waits for an answer any more.
    func end() {
        let questions = state.withLock { state in
            state.isEnded = true
            return state.questions.values.map(\.self)
        }
        shutdown(raw, Int32(SHUT_RDWR))
        for question in questions { question.cancel() }
    }

    private func begin(_ line: [UInt8]) -> Bool {
        while state.withLock({ $0.questions.count >= Self.mostQuestions && !$0.isEnded }) {
            room.wait()
        }
        return state.withLock { state in
            guard !state.isEnded else { return false }
            state.next += 1
            let number = state.next
            state.questions[number] = Task {
                await answer(line) { self.send($0) }
                self.state.withLock { _ = $0.questions.removeValue(forKey: number) }
                self.room.signal()
            }
            return true
        }
    }

    private func send(_ line: [UInt8]) {
        let isSent = sending.withLock { _ in
            line.withUnsafeBytes { bytes in
                var done = 0
                while done < bytes.count {
                    let count = Glibc.send(
                        raw, bytes.baseAddress.map { $0 + done }, bytes.count - done,
                        Int32(MSG_NOSIGNAL))
                    if count > 0 {
                        done += count
                    } else if errno != EINTR {
                        return false
                    }
                }
                return true
            }
        }
        if !isSent { end() }
    }
}
