/// Answers requests. `async`, and called on the connection's thread: up to its first suspension it
/// must not block.
package protocol HTTPHandler: Sendable {
    /// Never throws: what went wrong is an answer too. The surrounding task is cancelled when the
    /// client goes away.
    func respond(to request: HTTPRequest) async -> HTTPResponse
    /// The answer to what never became a request: bad framing, headers too large, a path that is
    /// not UTF-8, an unknown method; and to an upload that was too slow, in place of the handler's.
    func refuse(_ refusal: HTTPRefusal, id: String) -> HTTPResponse
}
