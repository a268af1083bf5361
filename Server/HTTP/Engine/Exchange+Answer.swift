import BasketSupport
import CMicroHTTPD
import Synchronization

/// The handler's side: its task, its answer, and what makes it stop.
extension Exchange {
    /// Above this, a body is not compressed on the worker's thread, where others wait meanwhile.
    private static let quickCompressionBytes = 32 << 10

    func run(_ request: HTTPRequest) async {
        let response = await engine.handler.respond(to: request)
        let isHead = request.method == .head
        if case .stream(let source) = response.body, !isHead {
            await produce(source, for: response)
            return
        }
        let acceptsGzip = state.withLock { $0.acceptsGzip }
        if acceptsGzip, let length = response.body.length, length > Self.quickCompressionBytes,
            CompressibleContent.includes(response.headers)
        {
            await Task.yield()
        }
        deliver(compressed(response, acceptsGzip: acceptsGzip), stream: nil)
    }

    private func produce(_ source: HTTPStream, for response: HTTPResponse) async {
        var response = response
        let channel = StreamChannel(
            capacity: engine.limits.streamBufferBytes,
            isChunked: state.withLock { $0.takesChunks })
        var encoder: GzipEncoder?
        if CompressibleContent.includes(response.headers) {
            response.headers.append("Vary", "Accept-Encoding")
            if state.withLock({ $0.acceptsGzip }) {
                response.headers["Content-Encoding"] = "gzip"
                encoder = GzipEncoder()
            }
        }
        engine.counters.streams.add(1, ordering: .relaxed)
        defer { engine.counters.streams.subtract(1, ordering: .relaxed) }
        let isEndless = CompressibleContent.isEventStream(response.headers)
        deliver(response, stream: channel, isEndless: isEndless)
        if isEndless, engine.isStopping { return channel.finish(complete: true) }
        let used = encoder
        let writer = HTTPStreamWriter { bytes in
            try await channel.write(used?.piece(bytes) ?? bytes)
        }
        do {
            try await source.produce(writer)
            if let used { try await channel.write(used.end()) }
            channel.finish(complete: true)
        } catch {
            // A stream that the server's stop cut short ends as it should: what came is whole.
            let isStopping = isEndless && engine.isStopping
            channel.finish(complete: isStopping)
            // Whatever a producer says of being stopped in the middle.
            if !(error is CancellationError), !Task.isCancelled {
                engine.world.log.warning(
                    "a stream broke off", ["id": .text(id), "reason": .text("\(error)")])
            }
        }
    }

    private func compressed(_ response: HTTPResponse, acceptsGzip: Bool) -> HTTPResponse {
        guard case .bytes(let bytes) = response.body, bytes.count >= CompressibleContent.leastBytes,
            CompressibleContent.includes(response.headers)
        else { return response }
        var response = response
        response.headers.append("Vary", "Accept-Encoding")
        // The ETag stays as it is: it names the item's version, which clients send back in If-Match,
        // and ranges, which a tag for each coding would be for, are not served from JSON.
        if acceptsGzip, let smaller = GzipEncoder.compress(bytes) {
            response.headers["Content-Encoding"] = "gzip"
            response.body = .bytes(smaller)
        }
        return response
    }

    private func deliver(
        _ response: HTTPResponse, stream: StreamChannel?, isEndless: Bool = false
    ) {
        let isTooSlow = state.withLock { $0.phase == .receiving && $0.body.failure == .tooSlow }
        if isTooSlow { return cutSlowSender(stream, logLabel: response.logLabel) }
        let answer = PreparedResponse(
            response, id: id, engine: engine, closes: engine.isStopping, stream: stream)
        let isLate = state.withLock { state in
            guard state.phase != .over, state.phase != .cut, !state.isAborted else { return true }
            state.answer = answer
            state.stream = stream
            state.isEndless = isEndless
            if stream == nil { state.task = nil }
            if state.isSuspended {
                state.resume()
            } else if state.phase == .receiving {
                answerWithinBody(&state, answer)
            }
            return false
        }
        if isLate { stream?.close() }
    }

    /// The body still comes, or does not: the client may as well wait for this answer. It goes out at
    /// once, unless the end is near, or only the worker may write, which does so with the next bytes.
    private func answerWithinBody(_ state: inout State, _ answer: PreparedResponse) {
        state.body.pace.wait(from: engine.world.uptime())
        guard state.body.isTooLongToDiscard(limit: engine.limits.discardedUploadBytes) else {
            return
        }
        _ = sendAndCut(&state, answer)
    }

    /// The answer to a body that will not end.
    private func cutSlowSender(_ stream: StreamChannel?, logLabel: String?) {
        stream?.close()
        let refusal = HTTPRefusal.uploadTooSlow(bytesPerSecond: engine.limits.uploadBytesPerSecond)
        var response = engine.handler.refuse(refusal, id: id)
        response.logLabel = logLabel
        let answer = PreparedResponse(response, id: id, engine: engine, closes: true, stream: nil)
        let isSent = state.withLock { state in
            state.status = answer.status
            state.logLabel = logLabel
            return sendAndCut(&state, answer)
        }
        if !isSent { connection.cut() }
    }

    /// Under the lock, so that the worker does not close the connection before the answer is out; it
    /// is written without waiting. The connection's own lock is taken within this one, never outside.
    ///
    /// - Returns: false when that was not possible, because the answer is not at hand, or because only
    ///   the worker can encrypt it.
    func sendAndCut(_ state: inout State, _ answer: PreparedResponse) -> Bool {
        guard !engine.isSecure, let message = answer.message(date: engine.world.now().httpDate)
        else {
            return false
        }
        state.phase = .cut
        state.answer = nil
        state.status = answer.status
        state.logLabel = answer.logLabel
        connection.sendPastLibrary(message)
        connection.endAfterAnswer(within: LingeringSockets.time)
        return true
    }

    /// The client is gone. A handler that runs is cancelled; its connection is given back at once,
    /// whether it heeds that or not.
    func clientWentAway() {
        abort(.clientGone, evenIfRunning: false)
    }

    /// The server does not wait any longer.
    func giveUp() {
        abort(.stopping, evenIfRunning: true)
    }

    /// An event stream never ends by itself.
    func endEndlessStream() {
        let task = state.withLock { state in
            state.mustEndStream = state.isEndless
            return state.isEndless ? state.task : nil
        }
        task?.cancel()
    }

    /// - Parameter evenIfRunning: also when a worker has the connection in its hands. It notices by
    ///   itself that a client is gone; a client that closed only its sending half may then still get
    ///   an answer that is ready.
    private func abort(_ failure: HTTPBodyFailure, evenIfRunning: Bool) {
        let (task, puller, stream) = state.withLock { state in
            if !evenIfRunning { state.isPeerGone = true }
            let isWaiting = state.isSuspended || state.stream != nil
            guard state.phase != .over, isWaiting || evenIfRunning else {
                return (
                    Task<Void, Never>?.none, CheckedContinuation<[UInt8]?, any Error>?.none,
                    StreamChannel?.none
                )
            }
            state.isAborted = true
            if state.body.failure == nil { state.body.failure = failure }
            if state.isSuspended { state.resume() }
            return (state.task.take(), state.body.takePuller(), state.stream)
        }
        task?.cancel()
        puller?.resume(throwing: failure)
        stream?.close()
    }
}
