import BasketSupport
import CCurl
import Glibc

/// The work of the engine's thread. Everything here, and every callback of curl, runs on it alone.
final class CurlLoop {
    private let engine: CurlEngine
    let certificate: CertificateCheck
    private var multi: UnsafeMutableRawPointer { engine.multi }
    private var active: [UnsafeMutableRawPointer: CurlTransfer] = [:]
    private var places: TransferPlaces
    /// Handles that can be used again.
    private var idle: [UnsafeMutableRawPointer] = []
    var receiving = TokenBucket()
    var sending = TokenBucket()
    var sockets = SocketWatch()
    /// Transfers that a bandwidth limit keeps from receiving.
    private var throttled: [CurlTransfer] = []
    /// Those that it keeps from sending, in the order of their turns. curl by itself would always serve the oldest
    /// one, and the server gives up the others for being too slow.
    private var senders: [CurlTransfer] = []
    private var isStopping = false
    /// Until then no connection is used that was there before.
    private var distrustEnd: Int64 = 0

    /// How long the loop sleeps when nobody has a deadline.
    private static let longestSleep: Int64 = 60_000_000_000
    private static let mostIdle = 16
    /// So long a socket waits for what it has sent to be confirmed before it counts as dead. After a change of network
    /// nothing comes back any more, not even that, and the system itself waits for a quarter of an hour.
    static let deadAfter: Int64 = 60_000_000_000

    init(_ engine: CurlEngine) {
        self.engine = engine
        certificate = CertificateCheck(engine.server.trust)
        places = TransferPlaces(engine.mostRequests)
        basket_curl_multi_set_long(multi, CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
        // Connections that are kept: as many as there are places, and some for streams.
        basket_curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, engine.mostRequests + 4)
    }

    static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    func run() {
        while true {
            for order in engine.takeOrders() { obey(order) }
            if isStopping { break }
            fillBuckets()
            var running: Int32 = 0
            curl_multi_perform(multi, &running)
            finishDone()
            let sleep = min(endLate(), timeUntilTurn)
            var count: Int32 = 0
            // Rounded up: waking too early would turn the loop for nothing.
            curl_multi_poll(multi, nil, 0, Int32((max(0, sleep) + 999_999) / 1_000_000), &count)
        }
        for transfer in Array(active.values) { finish(transfer, .failure(.cancelled)) }
        for transfer in places.allWaiting { transfer.mailbox.end(.failure(.cancelled)) }
        for handle in idle { curl_easy_cleanup(handle) }
    }

    // MARK: Orders

    private func obey(_ order: CurlEngine.Order) {
        switch order {
        case .begin(let transfer):
            if transfer.mailbox.hasEnded { return }  // Cancelled before it was here.
            if transfer.request.isStream { return begin(transfer) }
            places.wait(transfer)
            beginWaiting()
        case .resume(let transfer): resume(transfer)
        case .abandon(let transfer):
            places.forget(transfer)
            if transfer.handle != nil { finish(transfer, .failure(.cancelled)) }
        case .limit(let received, let sent):
            fillBuckets()
            receiving.rate = received.map { max(1, $0) }
            sending.rate = sent.map { max(1, $0) }
        case .stop: isStopping = true
        }
    }

    private func beginWaiting() {
        while !isStopping, let next = places.next() {
            if next.mailbox.hasEnded {
                places.leave(next)
            } else {
                begin(next)
            }
        }
    }

    private func begin(_ transfer: CurlTransfer) {
        guard let handle = idle.popLast() ?? curl_easy_init() else {
            if !transfer.request.isStream { places.leave(transfer) }
            transfer.mailbox.end(.failure(.notSendable("there is no memory for a request")))
            return
        }
        transfer.handle = handle
        transfer.loop = self
        transfer.lastProgress = Self.now
        active[handle] = transfer
        let refusal = transfer.prepare(
            engine.server, agent: engine.agent, isFresh: transfer.lastProgress < distrustEnd)
        if let refusal {
            finish(transfer, .failure(refusal))
        } else if curl_multi_add_handle(multi, handle) != CURLM_OK {
            finish(transfer, .failure(.notSendable("libcurl takes no further request")))
        }
    }

    private func resume(_ transfer: CurlTransfer) {
        guard let handle = transfer.handle, transfer.pauseBits != 0 else { return }
        transfer.isReceivePaused = false
        transfer.isSendPaused = false
        transfer.lastProgress = Self.now
        // Whoever still has to wait says so in the callbacks that this leads to.
        curl_easy_pause(handle, CURLPAUSE_CONT)
    }

    // MARK: Ends

    private func finishDone() {
        var code = CURLE_OK
        while let handle = basket_curl_next_done(multi, &code) {
            guard let transfer = active[handle] else { continue }
            if let verdict = transfer.verdict {
                finish(transfer, .failure(verdict))
            } else if code != CURLE_OK {
                finish(transfer, .failure(CurlFailure.error(code, transfer, certificate)))
            } else if let head = transfer.response {
                finish(transfer, .success(head))
            } else {
                finish(transfer, .failure(.notUnderstood("the answer has no head")))
            }
        }
    }

    /// Ends what has not moved for too long.
    /// - Returns: how long until the next one is late.
    private func endLate() -> Int64 {
        let now = Self.now
        var soonest = Self.longestSleep
        for transfer in Array(active.values) {
            guard var deadline = transfer.deadline else { continue }
            if deadline.moment <= now, hasMoved(transfer) {
                transfer.lastProgress = now
                deadline = transfer.deadline ?? deadline
            }
            if deadline.moment <= now {
                // Those that were there with it may be as dead, and know it by then.
                if transfer.phase != .connecting { distrustEnd = now + Self.deadAfter }
                finish(transfer, .failure(deadline.error))
                soonest = 0  // Somebody else may have a place now.
            } else {
                soonest = min(soonest, deadline.moment - now)
            }
        }
        return soonest
    }

    /// Whether more of a body has arrived than when that was last looked at. curl asks for a body in large
    /// pieces, which a slow line takes minutes to carry.
    private func hasMoved(_ transfer: CurlTransfer) -> Bool {
        guard transfer.phase == .sending, let handle = transfer.handle else { return false }
        let confirmed =
            Int64(basket_curl_uploaded(handle))
            - (sockets.unconfirmed(port: transfer.localPort) ?? 0)
        defer { transfer.confirmed = max(confirmed, transfer.confirmed) }
        return confirmed > transfer.confirmed
    }

    private func finish(
        _ transfer: CurlTransfer, _ result: Result<TransportResponse, TransportError>
    ) {
        if let handle = transfer.handle {
            curl_multi_remove_handle(multi, handle)
            active[handle] = nil
            transfer.handle = nil
            transfer.loop = nil
            throttled.removeAll { $0 === transfer }
            senders.removeAll { $0 === transfer }
            // One that is paused keeps what it has not given away yet, for whoever uses it next.
            if idle.count < Self.mostIdle, !transfer.isReceivePaused {
                curl_easy_reset(handle)
                idle.append(handle)
            } else {
                curl_easy_cleanup(handle)
            }
            if !transfer.request.isStream { places.leave(transfer) }
        }
        transfer.mailbox.end(result)
        beginWaiting()
    }

    // MARK: Bandwidth

    func throttle(_ transfer: CurlTransfer) {
        if !throttled.contains(where: { $0 === transfer }) { throttled.append(transfer) }
    }

    /// Whether a transfer may send now; else it waits for its turn.
    func maySend(_ transfer: CurlTransfer) -> Bool {
        guard sending.rate != nil else { return true }
        if sending.isOpen, transfer.hasTurn || senders.isEmpty { return true }
        if !senders.contains(where: { $0 === transfer }) {
            // Whoever could not use its turn has the next one.
            senders.insert(transfer, at: transfer.hasTurn ? 0 : senders.count)
        }
        return false
    }

    private var timeUntilTurn: Int64 {
        var soonest = Self.longestSleep
        if !throttled.isEmpty { soonest = min(soonest, receiving.timeUntilOpen) }
        if !senders.isEmpty { soonest = min(soonest, sending.timeUntilOpen) }
        // At least a millisecond, which is what polling can tell apart.
        return max(1_000_000, soonest)
    }

    /// Lets those go on for whom there is bandwidth again, in the order in which they were stopped; of those that
    /// send, one at a time.
    private func fillBuckets() {
        let now = Self.now
        receiving.fill(at: now)
        sending.fill(at: now)
        let held = throttled
        throttled = []
        for transfer in held { resume(transfer) }
        guard sending.isOpen, !senders.isEmpty else { return }
        let next = senders.removeFirst()
        next.hasTurn = true
        resume(next)
    }
}
