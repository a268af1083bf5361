import BasketConnection
import Synchronization

/// A network that loses one exchange: before the server has seen the request, or with its answer.
final class FaultyTransport: Transport {
    enum Fault: Sendable, CaseIterable {
        case before, after
    }

    private struct State {
        var inner: (any Transport)?
        var fault: (at: Int, Fault)?
        /// What the targets of the exchanges that count have in them.
        var part = ""
        var count = 0
        var isDown = false
        var delay: (@Sendable (_ target: String) async throws -> Void)?
        var streams = (begun: 0, open: 0)
        var garbles = false
        var refusesStreams = false
        var received: (@Sendable () -> Void)?
        var traffic: (sent: Int64, received: Int64) = (0, 0)
        /// What becomes another content on its way to the server, and how often.
        var swaps: (swap: ContentSwap, part: String, left: Int)?
    }

    private struct Way {
        var inner: (any Transport)?
        var fault: Fault?
        var delay: (@Sendable (_ target: String) async throws -> Void)?
        var garbles = false
        var received: (@Sendable () -> Void)?
    }

    private let state: Mutex<State>

    init(_ inner: any Transport) {
        state = Mutex(State(inner: inner))
    }

    /// Has the n-th exchange from now on fail, counted from 1.
    /// - Parameter part: what the targets of those that count have in them; what an instance asks by itself
    ///   would count otherwise.
    func fail(_ number: Int, _ fault: Fault, of part: String = "") {
        state.withLock { state in
            state.count = 0
            state.traffic = (0, 0)
            state.part = part
            state.fault = (number, fault)
        }
    }

    /// - Returns: whether the exchange that was to fail was never reached.
    func clear() -> Bool {
        state.withLock { state in
            defer { state.fault = nil }
            return state.fault != nil
        }
    }

    /// Nothing gets through, or everything again.
    func isDown(_ isDown: Bool) {
        state.withLock { $0.isDown = isDown }
    }

    /// Contents come with other bytes than they were sent with, and no word of what they should be.
    func garble() {
        state.withLock { $0.garbles = true }
    }

    /// Has the server get another content, and its hash, in place of one that is as long: so many times.
    /// - Parameter part: what the targets of the exchanges that count have in them.
    func swap(_ content: [UInt8], for other: [UInt8], times: Int, of part: String = "") {
        state.withLock { $0.swaps = (ContentSwap(content, for: other), part, times) }
    }

    /// Has each exchange wait first.
    func delay(_ delay: (@Sendable (_ target: String) async throws -> Void)?) {
        state.withLock { $0.delay = delay }
    }

    /// No event stream gets through.
    func refuseStreams() {
        state.withLock { $0.refusesStreams = true }
    }

    /// Has something done after each piece of an answer that was taken.
    func afterEachPiece(_ received: (@Sendable () -> Void)?) {
        state.withLock { $0.received = received }
    }

    private func swapped(_ request: TransportRequest) -> TransportRequest {
        state.withLock { state in
            guard let (swap, part, left) = state.swaps, left > 0,
                part.isEmpty || request.target.contains(part), let other = swap.apply(to: request)
            else { return request }
            state.swaps = (swap, part, left - 1)
            return other
        }
    }

    /// Event streams: how many began, and how many are open.
    var streams: (begun: Int, open: Int) { state.withLock { $0.streams } }

    /// The bytes of all bodies since the last fault was set, but for event streams.
    var traffic: (sent: Int64, received: Int64) { state.withLock { $0.traffic } }

    /// Exchanges since the last fault was set.
    var count: Int { state.withLock { $0.count } }

    func send(
        _ request: TransportRequest,
        consumer: (TransportResponse, [UInt8]) async throws -> Void
    ) async throws(TransportError) -> TransportResponse {
        if request.isStream {
            state.withLock { $0.streams = ($0.streams.begun + 1, $0.streams.open + 1) }
        }
        defer {
            if request.isStream { state.withLock { $0.streams.open -= 1 } }
        }
        let way = state.withLock { state in
            let isRefused = state.isDown || (request.isStream && state.refusesStreams)
            let open = isRefused ? nil : state.inner
            // The event stream comes and goes as it likes.
            guard !request.isStream else { return Way(inner: open) }
            guard state.part.isEmpty || request.target.contains(state.part) else {
                return Way(inner: open, delay: state.delay)
            }
            state.count += 1
            guard let (number, fault) = state.fault, number == state.count else {
                let garbles = state.garbles && request.target.contains("/content")
                return Way(
                    inner: open, delay: state.delay, garbles: garbles, received: state.received)
            }
            state.fault = nil
            return Way(inner: state.inner, fault: fault, delay: state.delay)
        }
        guard let inner = way.inner else { throw .refused }
        let request = swapped(request)
        if let delay = way.delay {
            do { try await delay(request.target) } catch { throw .cancelled }
        }
        switch way.fault {
        case nil where way.garbles:
            return try await inner.send(request) { head, bytes in
                var head = head
                head.headers.removeAll { $0.name == "repr-digest" }
                try await consumer(head, bytes.map { $0 ^ 1 })
            }
        case nil:
            if !request.isStream {
                state.withLock { $0.traffic.sent += request.body.length }
            }
            return try await inner.send(request) { head, bytes in
                if !request.isStream {
                    self.state.withLock { $0.traffic.received += Int64(bytes.count) }
                }
                try await consumer(head, bytes)
                way.received?()
            }
        case .before: throw .broken("the test broke it")
        case .after:
            _ = try await inner.send(request) { _, _ in }
            throw .broken("the test broke it")
        }
    }
}
