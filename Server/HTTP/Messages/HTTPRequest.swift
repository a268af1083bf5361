import BasketSupport

/// One request, as its handler sees it: values, and a body that streams. It never sees a socket, so
/// a test makes one by hand.
package struct HTTPRequest: Sendable {
    package var method: HTTPMethod
    /// The path as it was sent, still percent-encoded, without the query.
    package var rawPath: String
    /// The path's segments, decoded; a segment that is not UTF-8 never gets here. A trailing slash
    /// is an empty last segment.
    package var path: [String]
    /// The query, decoded, in its order.
    package var query: [(name: String, value: String)]
    package var headers: HTTPHeaders
    package var body: HTTPRequestBody
    /// Names the request in the answer, in the log, and in what a person reports.
    package var id: String
    /// The client's address without its port; behind a trusted proxy, what the proxy says it is.
    package var clientAddress: String
    /// Whether the client came over TLS, here or at a trusted proxy.
    package var isSecure: Bool

    package init(
        _ method: HTTPMethod, _ rawPath: String, path: [String],
        query: [(name: String, value: String)] = [], headers: HTTPHeaders = [:],
        body: HTTPRequestBody = .empty, id: String, clientAddress: String = "127.0.0.1",
        isSecure: Bool = false
    ) {
        self.method = method
        self.rawPath = rawPath
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
        self.id = id
        self.clientAddress = clientAddress
        self.isSecure = isSecure
    }

    /// The first value of a query item, or nil where it is not there.
    package func queryValue(_ name: String) -> String? {
        query.first { $0.name == name }?.value
    }
}
