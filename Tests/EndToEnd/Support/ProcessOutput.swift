import BasketSupport
import Glibc
import Synchronization

/// What a process writes, read as it comes by a thread, so that its pipe never fills.
final class ProcessOutput: Sendable {
    private struct State {
        var bytes: [UInt8] = []
        var isOver = false
    }

    /// A server that logs without end must not fill the test's memory.
    private static let mostBytes = 4 << 20

    private let state = Mutex(State())
    private let arrived = Semaphore()
    private let reader = Mutex<Thread?>(nil)

    /// - Parameter descriptor: the pipe's end; closed here.
    init(_ descriptor: CInt) {
        let thread = Thread(name: "output") { [self] in read(descriptor) }
        reader.withLock { $0 = thread }
    }

    var text: String { String(decoding: state.withLock { $0.bytes }, as: UTF8.self) }

    /// The first line that holds the text, once it is there; nil when it does not come in time.
    func line(with mark: String, upTo limit: Duration = .seconds(60)) -> String? {
        let deadline = Moment.now + limit
        while true {
            let (text, isOver) = (self.text, state.withLock { $0.isOver })
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            // The last one may not be complete.
            let complete = isOver ? lines[...] : lines.dropLast()
            if let found = complete.first(where: { $0.contains(mark) }) { return String(found) }
            guard !isOver, arrived.wait(upTo: deadline - Moment.now) else { return nil }
        }
    }

    /// Waits for the end; false when it does not come in time.
    func waitForEnd(upTo limit: Duration) -> Bool {
        let deadline = Moment.now + limit
        while !state.withLock({ $0.isOver }) {
            guard arrived.wait(upTo: deadline - Moment.now) else { return false }
        }
        let thread = reader.withLock { $0.take() }
        thread?.join()
        return true
    }

    private func read(_ descriptor: CInt) {
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            state.withLock { state in
                guard state.bytes.count < Self.mostBytes else { return }
                state.bytes += buffer[..<count]
            }
            arrived.signal()
        }
        close(descriptor)
        state.withLock { $0.isOver = true }
        arrived.signal()
    }
}
