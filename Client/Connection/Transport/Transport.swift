/// Carries requests to one server and answers back. Live it is `CurlTransport`; a simulation brings one
/// of its own, so an implementation promises what is said here and callers rely on no more.
package protocol Transport: Sendable {
    /// Sends a request and hands its answer on, piece by piece.
    ///
    /// The next piece is not fetched before `consumer` has returned, and not much is kept meanwhile: a
    /// slow consumer slows the server down. An answer without a body calls it never. Cancelling the task
    /// ends the call at once and gives the connection up.
    /// - Parameter consumer: gets the answer's head with each piece of the body.
    /// - Returns: the answer's head, once its body has ended as it should.
    /// - Throws: also when part of the body has come already; what came was consumed before.
    func send(
        _ request: TransportRequest,
        consumer: (TransportResponse, [UInt8]) async throws -> Void
    ) async throws(TransportError) -> TransportResponse
}
