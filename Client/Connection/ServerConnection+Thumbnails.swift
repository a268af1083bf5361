import BasketModels

// Small pictures of files.
extension ServerConnection {
    /// The server keeps no larger ones.
    private static let longestThumbnail = 256 << 10

    /// Nil when the caller's, whose `tag` it gives, is still the one.
    package func thumbnail(
        of item: String, in domain: String, unless tag: String? = nil
    ) async throws(ConnectionError) -> Thumbnail? {
        var call = APICall("GET", items(domain, item, "thumbnail"))
        call.takesCompressed = false
        if let tag { call = call.with("If-None-Match", tag) }
        let (head, body) = try await answer(
            to: call, accepting: 304, upTo: Self.longestThumbnail)
        if head.status == 304 { return nil }
        guard let type = head.mediaType, type.hasPrefix("image/") else {
            throw .badAnswer("the thumbnail is no picture")
        }
        return Thumbnail(type: type, bytes: body, tag: head[header: "etag"])
    }

    /// - Parameter base: the content version that the picture shows.
    package func putThumbnail(
        _ thumbnail: Thumbnail, of item: String, in domain: String, base: Version? = nil
    ) async throws(ConnectionError) -> ItemAnswer {
        var call = APICall(
            "PUT", items(domain, item, "thumbnail"), query: [("base", base?.description)]
        ).with("Content-Type", thumbnail.type)
        call.body = .bytes(thumbnail.bytes)
        return try await value(call)
    }
}
