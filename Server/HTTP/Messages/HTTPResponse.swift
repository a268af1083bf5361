/// One answer. The connection adds `Date`, `Content-Length`, the framing, and the request's id; it
/// compresses JSON where the client asks for that.
package struct HTTPResponse: Sendable {
    package var status: Int
    package var headers: HTTPHeaders
    package var body: HTTPResponseBody
    /// What the log calls the request in place of its path: the pattern of its route.
    package var logLabel: String?

    package init(
        status: Int, headers: HTTPHeaders = [:], body: HTTPResponseBody = .none,
        logLabel: String? = nil
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.logLabel = logLabel
    }
}
