import BasketSupport
import CMicroHTTPD
import Synchronization

/// The body's way from the worker to the handler.
extension Exchange {
    /// The next piece, for `HTTPRequestBody`.
    @Sendable func nextPiece() async throws -> [UInt8]? {
        if let ready = takeAvailable() { return try ready.get() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let ready = state.withLock { state -> Result<[UInt8]?, any Error>? in
                    if Task.isCancelled { return .failure(CancellationError()) }
                    if let ready = state.body.available() {
                        state.resume(in: .receiving)
                        return ready
                    }
                    state.body.isWanted = true
                    state.body.wait(continuation)
                    if state.phase == .receiving {
                        state.body.pace.wait(from: engine.world.uptime())
                    }
                    state.resume(in: .deciding)
                    return nil
                }
                if let ready { continuation.resume(with: ready) }
            }
        } onCancel: {
            let puller = state.withLock { state in
                state.body.pace.pause(at: engine.world.uptime())
                return state.body.takePuller()
            }
            puller?.resume(throwing: CancellationError())
        }
    }

    /// What came already, without waiting; its going makes room, so a connection that stood still
    /// for want of it goes on.
    private func takeAvailable() -> Result<[UInt8]?, any Error>? {
        state.withLock { state in
            let ready = state.body.available()
            if ready != nil { state.resume(in: .receiving) }
            return ready
        }
    }

    // MARK: What the worker calls

    /// Takes the bytes, or none of them when there is no room: then the connection is suspended, and
    /// libmicrohttpd offers them again.
    func receive(
        _ bytes: UnsafeRawBufferPointer, _ mhd: MHDConnection
    ) -> (result: MHD_Result, taken: Int) {
        enum Next {
            case taken, stalled, close
            case handOver(CheckedContinuation<[UInt8]?, any Error>, [UInt8])
            case answerNow(PreparedResponse)
        }
        let limits = engine.limits
        let next: Next = state.withLock { state in
            if state.isAborted || state.body.failure != nil || engine.isGivingUp { return .close }
            if let answer = state.answer {
                state.body.receivedBytes += Int64(bytes.count)
                state.body.discardedBytes += bytes.count
                if state.body.isTooLongToDiscard(limit: limits.discardedUploadBytes) {
                    state.phase = .cut
                    state.status = answer.status
                    state.logLabel = answer.logLabel
                    return .answerNow(answer)
                }
                state.body.pace.arrived(bytes.count, at: engine.world.uptime())
                state.body.pace.wait(from: engine.world.uptime())
                return .taken
            }
            guard state.body.buffer.count < limits.uploadBufferBytes else {
                mhd.suspend()
                state.isSuspended = true
                return .stalled
            }
            state.body.receivedBytes += Int64(bytes.count)
            state.body.append(bytes, limit: limits.uploadBufferBytes)
            if let puller = state.body.takePuller() {
                state.body.pace.arrived(bytes.count, at: engine.world.uptime())
                defer { state.body.buffer = [] }
                return .handOver(puller, state.body.buffer)
            }
            let now = engine.world.uptime()
            state.body.pace.arrived(bytes.count, at: now)
            // Nobody asks for a body whose handler begins at its end: its sender is waited for all along.
            if state.request != nil { state.body.pace.wait(from: now) }
            return .taken
        }
        switch next {
        case .taken: break
        case .stalled: return (.YES, 0)
        case .close: return (.NO, 0)
        case .handOver(let puller, let piece): puller.resume(returning: piece)
        case .answerNow(let answer):
            if let message = answer.message(date: engine.world.now().httpDate) {
                connection.sendPastLibrary(message, mhd)
            }
            connection.lingerAtEnd()
            return (.NO, 0)
        }
        return (.YES, bytes.count)
    }

    func endBody() {
        let (puller, ready) = state.withLock {
            state -> (CheckedContinuation<[UInt8]?, any Error>?, Result<[UInt8]?, any Error>?) in
            state.phase = .received
            state.body.hasEnded = true
            state.body.pace.pause(at: engine.world.uptime())
            guard let puller = state.body.takePuller() else { return (nil, nil) }
            return (puller, state.body.available())
        }
        if let puller, let ready { puller.resume(with: ready) }
    }

    // MARK: What the watch calls

    func lookAtPace(_ now: Duration) {
        let limits = engine.limits
        let (isTooSlow, puller, isHopeless) = state.withLock {
            state -> (Bool, CheckedContinuation<[UInt8]?, any Error>?, Bool) in
            guard state.phase == .receiving, state.body.failure == nil,
                state.body.pace.isTooSlow(
                    at: now, bytesPerSecond: limits.uploadBytesPerSecond, over: limits.uploadWindow)
            else { return (false, nil, false) }
            state.body.failure = .tooSlow
            // What the handler answered without waiting for the end goes out instead of a 408.
            let isHopeless = state.answer.map { !sendAndCut(&state, $0) } ?? false
            return (true, state.body.takePuller(), isHopeless)
        }
        guard isTooSlow else { return }
        // The handler learns it from its body; what it answers then is replaced in `deliver`.
        startGathered()
        puller?.resume(throwing: HTTPBodyFailure.tooSlow)
        if isHopeless { connection.cut() }
    }
}
