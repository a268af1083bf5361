import BasketSupport
import CMicroHTTPD
import Synchronization

/// One request and its answer: what a worker, the handler's task and the watch share.
///
/// libmicrohttpd calls in several times for each request: when its first line is there, when all
/// headers are, with each part of a body, and when the request is complete. It takes an answer at two of
/// these moments only: after the headers, which closes the connection afterwards, and at the end.
final class Exchange: Sendable {
    enum Phase {
        /// The first line is there.
        case head
        /// A request without a body, about to be answered.
        case ready
        /// The handler runs, and has neither asked for the body nor answered. Until it does, the client
        /// is not told to send the body, and what it sends anyway stays in the kernel.
        case deciding
        case receiving
        case received
        case replying
        /// The rest of the request is not wanted, and an answer is not possible any more.
        case cut
        case over
    }

    struct State {
        var phase = Phase.head
        var request: HTTPRequest?
        var mhd: MHDConnection?
        /// Whether we have suspended the connection and owe it a resume.
        var isSuspended = false
        /// The client went away, or the server gives up: no answer is wanted.
        var isAborted = false
        /// The client closed its end, perhaps only the one that it sends on.
        var isPeerGone = false
        /// The server stops, and what never ends by itself has to.
        var mustEndStream = false
        var isEndless = false
        var answer: PreparedResponse?
        var task: Task<Void, Never>?
        var stream: StreamChannel?
        var body = IncomingBody()
        /// Nil while it is not known, or is none that is.
        var method: HTTPMethod?
        var status: Int?
        var logLabel: String?
        var clientAddress: String?
        var acceptsGzip = false
        var takesChunks = true
        /// How long the queued answer's body is.
        var sentBytes: Int64 = 0

        /// Gives the connection back to its worker. Under the lock, as it was suspended: once all exchanges have been
        /// told to give up, none is on its way back any more, and the daemon may stop.
        mutating func resume() {
            isSuspended = false
            mhd?.resume()
        }

        /// The same where it is suspended in that phase.
        mutating func resume(in phase: Phase) {
            if isSuspended, self.phase == phase { resume() }
        }
    }

    let connection: Connection
    let engine: Engine
    let id: String
    let startedAt: Duration
    private let target: [UInt8]
    /// Where the target lies in the connection's memory, to see that nothing hides beside it.
    private let targetAddress: UInt
    let state: Mutex<State>

    init(_ connection: Connection, target: UnsafePointer<CChar>?) {
        self.connection = connection
        engine = connection.engine
        id = engine.ids.next()
        startedAt = engine.world.uptime()
        targetAddress = UInt(bitPattern: target)
        self.target =
            target.map { text in
                var count = 0
                while text[count] != 0 { count += 1 }
                return text.withMemoryRebound(to: UInt8.self, capacity: count) {
                    Array(UnsafeBufferPointer(start: $0, count: count))
                }
            } ?? []
        state = Mutex(State())
    }

    // MARK: What the worker calls

    /// - Parameter upload: the body's next bytes; nil when the call brings none.
    /// - Returns: what libmicrohttpd is told, and how many of the bytes were taken.
    func access(
        _ mhd: MHDConnection, method: UnsafePointer<CChar>, version: UnsafePointer<CChar>,
        upload: UnsafeRawBufferPointer?
    ) -> (result: MHD_Result, taken: Int) {
        switch state.withLock({ $0.phase }) {
        case .head: return (begin(mhd, method: method, version: version), 0)
        case .ready:
            let request = state.withLock { state in
                state.phase = .received
                return state.request.take()
            }
            if let request { start(request) }
            return (settle(mhd), 0)
        case .deciding: return (settle(mhd), 0)
        case .receiving:
            if let upload { return receive(upload, mhd) }
            endBody()
            startGathered()
            return (settle(mhd), 0)
        case .received: return (settle(mhd), 0)
        case .replying, .cut, .over: return (.NO, 0)
        }
    }

    /// The request is over, well or not, and libmicrohttpd forgets it.
    ///
    /// - Parameter status: what went out, though it may have been libmicrohttpd's own word.
    func complete(_ code: MHD_RequestTerminationCode, status: Int?) {
        let isComplete = code == .REQUEST_TERMINATED_COMPLETED_OK
        let (state, puller) = state.withLock { state in
            if state.status == nil { state.status = status }
            let last = state
            state.phase = .over
            state.answer = nil
            state.task = nil
            state.stream = nil
            state.request = nil
            state.mhd = nil
            if state.body.failure == nil { state.body.failure = .clientGone }
            return (last, state.body.takePuller())
        }
        connection.end(self)
        // Its head went out before the server stopped, and did not say that the connection closes.
        if state.isEndless, engine.isStopping { connection.takeNoMore() }
        puller?.resume(throwing: HTTPBodyFailure.clientGone)
        state.stream?.close()
        state.task?.cancel()
        engine.finished(self, state, isComplete: isComplete)
    }

    /// It was answered past libmicrohttpd, because that could not read it.
    func wasRefused(status: Int) {
        state.withLock { $0.status = status }
    }

    private func begin(
        _ mhd: MHDConnection, method: UnsafePointer<CChar>, version: UnsafePointer<CChar>
    ) -> MHD_Result {
        connection.headersDue.store(.max, ordering: .relaxed)
        connection.begin(self)
        engine.counters.active.add(1, ordering: .relaxed)
        let head: RequestHead
        do throws(HTTPRefusal) {
            head = try RequestHead(
                mhd, method: method, target: target, targetAddress: targetAddress, version: version,
                limits: engine.limits)
        } catch {
            let named = HTTPMethod(rawValue: String(cString: method))
            state.withLock { $0.method = named }
            return refuse(error, mhd)
        }
        let request = makeRequest(head)
        let hasBody = head.framing.body != .none
        let isGathered = isGathered(request)
        state.withLock { state in
            state.method = request.method
            state.clientAddress = request.clientAddress
            state.acceptsGzip = AcceptEncoding.allowsGzip(request.headers)
            state.takesChunks = !head.isHTTP10
            state.mhd = mhd
            state.phase = !hasBody ? .ready : isGathered ? .receiving : .deciding
            if hasBody {
                state.body.announced = request.body.announcedLength
                state.body.isAwaitingContinue = request.headers["Expect"] != nil
            }
            if isGathered { state.body.pace.wait(from: engine.world.uptime()) }
            if !hasBody || isGathered { state.request = request }
        }
        guard hasBody, !isGathered else { return .YES }
        start(request)
        return settle(mhd)
    }

    private func makeRequest(_ head: RequestHead) -> HTTPRequest {
        var client = connection.addressText
        var isSecure = engine.isSecure
        let proxies = engine.configuration.trustedProxies
        if !proxies.isEmpty {
            let forwarded = ForwardedClient(
                peer: connection.address, isSecure: isSecure, headers: head.headers,
                trusting: proxies)
            if forwarded.address != connection.address { client = forwarded.address.description }
            isSecure = forwarded.isSecure
        }
        let body: HTTPRequestBody =
            switch head.framing.body {
            case .none: .empty
            case .known(let length): HTTPRequestBody(announcedLength: length, pull: nextPiece)
            case .chunked: HTTPRequestBody(announcedLength: nil, pull: nextPiece)
            }
        return HTTPRequest(
            head.method, head.target.rawPath, path: head.target.path, query: head.target.query,
            headers: head.headers, body: body, id: id, clientAddress: client, isSecure: isSecure)
    }

    /// Answers at once, and closes the connection: after a doubtful request, what follows on the
    /// connection is doubtful too.
    private func refuse(_ refusal: HTTPRefusal, _ mhd: MHDConnection) -> MHD_Result {
        let response = engine.handler.refuse(refusal, id: id)
        let answer = PreparedResponse(response, id: id, engine: engine, closes: true, stream: nil)
        state.withLock { state in
            state.phase = .replying
            state.status = answer.status
        }
        connection.lingerAtEnd()
        return answer.queue(on: mhd)
    }

    /// A small body that is on its way is waited for before the handler begins: then that finds all of
    /// it, and need not be put aside and taken up again on another thread.
    private func isGathered(_ request: HTTPRequest) -> Bool {
        guard let length = request.body.announcedLength, request.headers["Expect"] == nil else {
            return false
        }
        return length > 0 && length <= engine.limits.gatheredBodyBytes
    }

    /// Begins what waited for its body, if it did: when that is here, or will never be.
    func startGathered() {
        if let request = state.withLock({ $0.request.take() }) { start(request) }
    }

    /// Runs the handler on this thread until it first waits. Many never do, and are answered without
    /// any change of threads.
    private func start(_ request: HTTPRequest) {
        let task = Task.immediate { await self.run(request) }
        let isLate = state.withLock { state in
            // An answer means that nobody has to be cancelled any more, but a stream's producer.
            if state.phase == .over || state.isAborted { return true }
            if state.answer == nil || state.stream != nil { state.task = task }
            return state.mustEndStream
        }
        if isLate { task.cancel() }
    }

    /// Queues the answer where there is one, lets the body come where it is wanted, and else suspends
    /// the connection until either.
    private func settle(_ mhd: MHDConnection) -> MHD_Result {
        enum Next {
            case queue(PreparedResponse, early: Bool)
            case proceed, close
        }
        let isPeerGone = connection.isPeerGone
        let next: Next = state.withLock { state in
            if state.isAborted { return .close }
            let isPeerGone = isPeerGone || state.isPeerGone
            if state.phase == .deciding, state.answer != nil, isWorthDiscarding(state) {
                state.phase = .receiving
                state.body.pace.wait(from: engine.world.uptime())
                return .proceed
            }
            if let answer = state.answer.take() {
                if isPeerGone, answer.stream != nil { return .close }
                defer { state.phase = .replying }
                state.status = answer.status
                state.logLabel = answer.logLabel
                state.sentBytes = state.method == .head ? 0 : answer.bodyBytes ?? 0
                return .queue(answer, early: state.phase == .deciding)
            }
            if state.phase == .deciding, state.body.isWanted {
                state.phase = .receiving
                if state.body.hasPuller { state.body.pace.wait(from: engine.world.uptime()) }
                return .proceed
            }
            if state.phase == .cut || isPeerGone || engine.isGivingUp { return .close }
            mhd.suspend()
            state.isSuspended = true
            return .proceed
        }
        switch next {
        case .queue(let answer, let early):
            if early { connection.lingerAtEnd() }
            return answer.queue(on: mhd)
        case .proceed: return .YES
        case .close: return .NO
        }
    }

    /// A little body that is on its way is read and thrown away when nobody asked for it, because that
    /// keeps the connection. One that waits for our word is not called for.
    private func isWorthDiscarding(_ state: State) -> Bool {
        guard !state.body.isAwaitingContinue, let length = state.body.announced else {
            return false
        }
        return length <= engine.limits.discardedUploadBytes
    }
}
