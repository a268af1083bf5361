/// The part of a request's body that came and was not asked for yet, and who waits for more.
struct IncomingBody {
    /// What the client announced; nil for a chunked body.
    var announced: Int64?
    /// The client sends nothing before it was told to.
    var isAwaitingContinue = false
    var buffer: [UInt8] = []
    var receivedBytes: Int64 = 0
    /// Thrown away since the handler answered without waiting for the end.
    var discardedBytes = 0
    var isWanted = false
    var hasEnded = false
    var failure: HTTPBodyFailure?
    var pace = SenderPace()
    private var puller: CheckedContinuation<[UInt8]?, any Error>?

    var hasPuller: Bool { puller != nil }

    /// Whether so much is still to come that nobody wants, that it is not worth to wait for its end.
    func isTooLongToDiscard(limit: Int) -> Bool {
        let toCome = announced.map { $0 - receivedBytes } ?? 0
        return Int64(discardedBytes) + toCome > limit
    }

    mutating func wait(_ continuation: CheckedContinuation<[UInt8]?, any Error>) {
        precondition(puller == nil, "a body's next piece is asked for while the last is awaited")
        puller = continuation
    }

    mutating func takePuller() -> CheckedContinuation<[UInt8]?, any Error>? {
        puller.take()
    }

    mutating func append(_ bytes: UnsafeRawBufferPointer, limit: Int) {
        // The second part makes room for all that may follow, instead of growing step by step.
        if !buffer.isEmpty, buffer.capacity < limit { buffer.reserveCapacity(limit + bytes.count) }
        buffer.append(contentsOf: bytes)
    }

    /// What may be had without waiting: a piece, the end, or an error; nil when there is nothing yet.
    mutating func available() -> Result<[UInt8]?, any Error>? {
        if let failure { return .failure(failure) }
        if !buffer.isEmpty {
            defer { buffer = [] }
            return .success(buffer)
        }
        return hasEnded ? .success(nil) : nil
    }
}
