import Synchronization

/// Where the task that sends a request and the thread that carries it meet. Both sides only ever leave
/// or take something; the thread never waits, the task waits for the thread.
///
/// Each side keeps little: when the mailbox is full, the thread pauses the transfer, and takes it up
/// again once the task says that there is room (`Take.resumes`).
final class TransferMailbox: Sendable {
    enum Event {
        /// A piece of the answer's body.
        case received(TransportResponse, [UInt8])
        /// There is room for the body's bytes from here on.
        case wantsBytes(at: Int64)
        case ended(Result<TransportResponse, TransportError>)
    }

    /// What the thread gets when it asks for bytes to send.
    enum Supply {
        case bytes(Int)
        case end
        case later
    }

    /// How much of an answer waits for its consumer.
    private static let mostReceived = 1 << 20
    /// How much of a body is read at once, and how many such pieces wait to be sent.
    static let pieceLength = 256 << 10
    private static let mostPieces = 4

    private struct State {
        var head: TransportResponse?
        var received: [UInt8] = []
        /// The thread has more and was sent away.
        var isFull = false
        /// What of the body is here and not sent yet: `pieces`, from `firstUsed` on.
        var pieces: [[UInt8]] = []
        var firstUsed = 0
        /// Up to where the task has supplied the body.
        var suppliedTo: Int64 = 0
        var sent: Int64 = 0
        /// The thread wanted bytes when there were none.
        var isStarved = false
        var result: Result<TransportResponse, TransportError>?
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())
    private let bodyLength: Int64

    init(bodyLength: Int64) {
        self.bodyLength = bodyLength
    }

    // MARK: The task's side

    /// Waits for what is next to do.
    func next() async -> (event: Event, resumes: Bool) {
        while true {
            if let found = take() { return found }
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    if Self.hasEvent(state, bodyLength) { return true }
                    state.waiter = continuation
                    return false
                }
                if isReady { continuation.resume() }
            }
        }
    }

    private func take() -> (Event, Bool)? {
        state.withLock { state in
            if case .failure(.cancelled) = state.result {
                return (.ended(.failure(.cancelled)), false)
            }
            if !state.received.isEmpty, let head = state.head {
                let bytes = state.received
                state.received = []
                defer { state.isFull = false }
                return (.received(head, bytes), state.isFull)
            }
            if let result = state.result { return (.ended(result), false) }
            if Self.hasRoom(state, bodyLength) {
                return (.wantsBytes(at: state.suppliedTo), false)
            }
            return nil
        }
    }

    private static func hasEvent(_ state: State, _ bodyLength: Int64) -> Bool {
        state.result != nil || !state.received.isEmpty || hasRoom(state, bodyLength)
    }

    private static func hasRoom(_ state: State, _ bodyLength: Int64) -> Bool {
        state.suppliedTo < bodyLength && state.pieces.count < mostPieces
    }

    /// Leaves a piece of the body. One that nobody wants any more, because the thread began anew
    /// meanwhile, is dropped.
    /// - Returns: whether the thread waits for it.
    func supply(_ bytes: [UInt8], at position: Int64) -> Bool {
        state.withLock { state in
            guard position == state.suppliedTo, !bytes.isEmpty else { return false }
            state.pieces.append(bytes)
            state.suppliedTo += Int64(bytes.count)
            defer { state.isStarved = false }
            return state.isStarved
        }
    }

    var sent: Int64 { state.withLock { $0.sent } }

    // MARK: The thread's side

    var hasEnded: Bool { state.withLock { $0.result != nil } }

    var hasSentAll: Bool { state.withLock { $0.sent == bodyLength } }

    func begin(_ head: TransportResponse) {
        state.withLock { $0.head = head }
    }

    /// Leaves a piece of the answer's body; false when there is no room for it now.
    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let (taken, waiter) = state.withLock { state -> (Bool, CheckedContinuation<Void, Never>?) in
            guard state.received.count < Self.mostReceived else {
                state.isFull = true
                return (false, nil)
            }
            state.received.append(contentsOf: bytes)
            return (true, state.waiter.take())
        }
        waiter?.resume()
        return taken
    }

    /// Fills a buffer with what is to be sent next.
    func send(into buffer: UnsafeMutableRawBufferPointer) -> Supply {
        let (supply, waiter) = state.withLock {
            state -> (Supply, CheckedContinuation<Void, Never>?) in
            guard state.sent < bodyLength else { return (.end, nil) }
            guard let piece = state.pieces.first else {
                state.isStarved = true
                return (.later, state.waiter.take())
            }
            let count = min(buffer.count, piece.count - state.firstUsed)
            piece.withUnsafeBytes { piece in
                buffer.copyMemory(
                    from: UnsafeRawBufferPointer(
                        rebasing: piece[state.firstUsed..<state.firstUsed + count]))
            }
            state.firstUsed += count
            state.sent += Int64(count)
            guard state.firstUsed == piece.count else { return (.bytes(count), nil) }
            state.pieces.removeFirst()
            state.firstUsed = 0
            return (.bytes(count), state.waiter.take())
        }
        waiter?.resume()
        return supply
    }

    /// Has the body supplied again from a place on: the connection was dead, and another is tried.
    func rewind(to position: Int64) -> Bool {
        guard (0...bodyLength).contains(position) else { return false }
        let waiter = state.withLock { state in
            state.pieces = []
            state.firstUsed = 0
            state.suppliedTo = position
            state.sent = position
            return state.waiter.take()
        }
        waiter?.resume()
        return true
    }

    /// The first end is the one that counts.
    func end(_ result: Result<TransportResponse, TransportError>) {
        let waiter = state.withLock { state in
            if state.result == nil {
                state.result = result
                state.pieces = []
            }
            return state.waiter.take()
        }
        waiter?.resume()
    }
}
