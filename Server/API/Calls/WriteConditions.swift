import BasketHTTP

/// The conditions that a change holds to. Whoever sends one means it, so that one which would be
/// passed over is refused, before the body is sent.
struct WriteConditions: Sendable {
    /// What a header may be to the change.
    enum Use: Sendable {
        case any
        /// Only `*`: whether something is there at all.
        case star
        case none
    }

    let ifMatch: Use
    let ifNoneMatch: Use
    /// What to do in place of what is refused.
    let instead: String

    static let none = WriteConditions(
        ifMatch: .none, ifNoneMatch: .none,
        instead: "This request takes no condition; leave it out.")
    static let base = WriteConditions(
        ifMatch: .none, ifNoneMatch: .none, instead: "Say with base which version you had seen.")
    /// There is one ETag to an item, that of its content.
    static let metadata = WriteConditions(
        ifMatch: .none, ifNoneMatch: .none,
        instead: "Say with base, in the body, which metadata version you had seen.")
    static let version = WriteConditions(
        ifMatch: .any, ifNoneMatch: .none,
        instead: "Name the content version that you had seen with If-Match.")
    static let new = WriteConditions(
        ifMatch: .none, ifNoneMatch: .star,
        instead: "A folder has no content; ask for a new one with If-None-Match: *.")
    static let versionOrNew = WriteConditions(
        ifMatch: .any, ifNoneMatch: .star,
        instead: "Name the content version that you had seen with If-Match, or ask for a new file "
            + "with If-None-Match: *.")

    /// `If-Modified-Since` is not here: for changes, HTTP has it passed over.
    func check(_ headers: HTTPHeaders) throws(Problem) {
        try check("If-Match", ifMatch, headers)
        try check("If-None-Match", ifNoneMatch, headers)
        try check("If-Unmodified-Since", .none, headers)
    }

    private func check(_ name: String, _ use: Use, _ headers: HTTPHeaders) throws(Problem) {
        let values = headers.all(name)
        guard !values.isEmpty else { return }
        switch use {
        case .any: return
        case .star: if HTTPETagList(values) == .any { return }
        case .none: break
        }
        throw Problem(
            400, "bad_parameter", "“\(name)” is no condition of this request.", detail: instead
        ).with(field: name)
    }
}

extension Call {
    /// A part of a body that was taken for the whole would cost the rest of it.
    func requireWholeBody() throws(Problem) {
        guard request.headers["Content-Range"] != nil else { return }
        throw Problem(
            400, "bad_parameter", "A part of a content cannot be sent with Content-Range.",
            detail: "A PUT replaces all of it. To send what is missing, send chunks: ask for "
                + "POST …/chunks/missing, send each with PUT …/chunks/HASH, then the manifest."
        ).with(field: "Content-Range")
    }
}
