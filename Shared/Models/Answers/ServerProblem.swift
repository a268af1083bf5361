import BasketContent

/// What a server says went wrong: a problem document (RFC 9457).
package struct ServerProblem: Error, Decodable, Sendable, Equatable {
    package var status: Int
    /// For programs. New ones may come.
    package var code: String
    /// What happened, for people.
    package var title: String
    /// What to do about it, for people.
    package var detail: String?
    /// The member or the parameter that is at fault.
    package var field: String?
    /// The item that stands in the way, as it is now.
    package var item: ItemInfo?
    /// With `name_taken`, who has the name.
    package var existing: String?
    /// With `chunks_missing`, the first of them.
    package var missing: [ContentHash]?
    package var limit: Int64?
    package var bytesPerSecond: Int64?
    package var needed: Int64?
    package var available: Int64?
    package var size: Int64?
    package var hint: String?
    /// Names the request in the server's log.
    package var requestId: String?
    /// How long to wait, when the server said so; it is no part of the document.
    package var retryAfterSeconds: Int64?

    package init(status: Int, code: String, title: String) {
        self.status = status
        self.code = code
        self.title = title
    }
}
