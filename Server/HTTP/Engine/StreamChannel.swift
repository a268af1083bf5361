import CMicroHTTPD
import Synchronization

/// Carries a stream's bytes from its producer's task to the worker that sends them, in a bounded
/// buffer. While there is nothing to send, the connection is suspended and costs only its memory.
final class StreamChannel: Sendable {
    /// What a drained buffer keeps, so that small events need no new memory and idle streams hold none.
    private static let keptCapacity = 1 << 10

    private struct State {
        var buffer: [UInt8] = []
        var sent = 0
        var writers: [(id: UInt64, continuation: CheckedContinuation<Void, any Error>)] = []
        var nextWriter: UInt64 = 0
        /// nil while more may come.
        var end: End?
        /// Set while the worker has suspended the connection because there was nothing to send.
        var parked: MHDConnection?
        var connection: MHDConnection?
        var totalBytes: Int64 = 0

        var level: Int { buffer.count - sent }
    }

    private enum End {
        case complete, failed
    }

    private let state = Mutex(State())
    private let capacity: Int
    private let isChunked: Bool

    /// - Parameter isChunked: false for a client of HTTP/1.0.
    init(capacity: Int, isChunked: Bool = true) {
        self.capacity = capacity
        self.isChunked = isChunked
    }

    /// The bytes that went out.
    var totalBytes: Int64 {
        state.withLock { $0.totalBytes }
    }

    // MARK: The producer's side

    /// Returns when the buffer has room again.
    func write(_ bytes: [UInt8]) async throws {
        var rest = bytes[...]
        while true {
            let isFull = try state.withLock { state throws -> Bool in
                guard state.end == nil else { throw CancellationError() }
                let room = rest.prefix(max(0, capacity - state.level))
                if !room.isEmpty, state.sent > 0 {
                    // Where the buffer is never empty, what has gone would stay for as long as the stream.
                    state.buffer.removeFirst(state.sent)
                    state.sent = 0
                }
                state.buffer += room
                rest = rest.dropFirst(room.count)
                if !room.isEmpty { state.parked.take()?.resume() }
                return state.level >= capacity
            }
            guard isFull else { return }
            try await waitForRoom()
            if rest.isEmpty { return }
        }
    }

    /// No more will come.
    func finish(complete: Bool) {
        state.withLock { state in
            if state.end == nil { state.end = complete ? .complete : .failed }
            state.parked.take()?.resume()
        }
    }

    private func waitForRoom() async throws {
        let id = state.withLock { state in
            state.nextWriter += 1
            return state.nextWriter
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome: Result<Void, any Error>? = state.withLock { state in
                    if Task.isCancelled || state.end != nil { return .failure(CancellationError()) }
                    if state.level < capacity { return .success(()) }
                    state.writers.append((id, continuation))
                    return nil
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            let waiting = state.withLock { state in
                state.writers.firstIndex { $0.id == id }.map { state.writers.remove(at: $0) }
            }
            waiting?.continuation.resume(throwing: CancellationError())
        }
    }

    // MARK: The worker's side

    func attach(_ connection: MHDConnection) {
        state.withLock { $0.connection = connection }
    }

    /// libmicrohttpd's content reader.
    func read(into target: UnsafeMutablePointer<CChar>, atMost limit: Int) -> Int {
        let (result, writers) = state.withLock {
            state -> (Int, [CheckedContinuation<Void, any Error>]) in
            guard state.level > 0 else {
                switch state.end {
                case .complete:
                    // Without chunks, the end of the connection is the end of the stream.
                    if !isChunked { state.connection?.bounce() }
                    return (Int(MHD_CONTENT_READER_END_OF_STREAM), [])
                case .failed:
                    state.connection?.bounce()
                    return (Int(MHD_CONTENT_READER_END_WITH_ERROR), [])
                case nil: break
                }
                state.connection?.suspend()
                state.parked = state.connection
                return (0, [])
            }
            return take(atMost: limit, into: target, from: &state)
        }
        for writer in writers { writer.resume() }
        return result
    }

    /// Nobody takes more bytes: writers are told, and a connection that still is there ends.
    func close() {
        let writers = state.withLock { state in
            state.end = .failed
            state.buffer = []
            state.sent = 0
            state.parked.take()?.resume()
            defer { state.writers = [] }
            return state.writers.map(\.continuation)
        }
        for writer in writers { writer.resume(throwing: CancellationError()) }
    }

    private func take(
        atMost limit: Int, into target: UnsafeMutablePointer<CChar>, from state: inout State
    ) -> (Int, [CheckedContinuation<Void, any Error>]) {
        let count = min(limit, state.level)
        state.buffer.withUnsafeBytes { buffer in
            UnsafeMutableRawPointer(target).copyMemory(
                from: buffer.baseAddress! + state.sent, byteCount: count)
        }
        state.sent += count
        state.totalBytes += Int64(count)
        if state.level == 0 {
            state.sent = 0
            if state.buffer.capacity > Self.keptCapacity {
                state.buffer = []
            } else {
                state.buffer.removeAll(keepingCapacity: true)
            }
        }
        // Half empty, so that a fast producer is not woken for every few bytes.
        guard state.level <= capacity / 2, !state.writers.isEmpty else { return (count, []) }
        defer { state.writers = [] }
        return (count, state.writers.map(\.continuation))
    }
}
