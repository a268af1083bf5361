import BasketContent
import BasketHTTP
import BasketModels
import BasketStore

/// Small pictures of items, made by whoever can.
enum Thumbnails {
    static let endpoints: [Endpoint] = [
        Endpoint(.get, "/v1/domains/{domain}/items/{item}/thumbnail", fetch),
        Endpoint(
            .put, "/v1/domains/{domain}/items/{item}/thumbnail", conditions: .base, store),
    ]

    static func fetch(_ call: Call) async throws -> HTTPResponse {
        try call.read { db, domain in
            let item = try db.item(call["item"], in: domain)
            guard let thumbnail = try db.thumbnail(of: item.id) else {
                throw Problem(404, "no_thumbnail", "Item \(item.id) has no thumbnail.")
            }
            // Not the item's version: another picture of the same content is another picture.
            let etag = HTTPETag(String(ContentHash(of: thumbnail.data).hex.prefix(32)))
            let headers: HTTPHeaders = [
                "Content-Type": thumbnail.type, "ETag": etag.description,
                "X-Content-Type-Options": "nosniff", "Cache-Control": "private, no-cache",
            ]
            switch HTTPConditions(call.request.headers).verdict(
                etag: etag, modified: nil, isRead: true)
            {
            case .proceed:
                return HTTPResponse(status: 200, headers: headers, body: .bytes(thumbnail.data))
            case .notModified: return HTTPResponse(status: 304, headers: headers)
            case .failed:
                throw Problem(
                    412, "precondition_failed", "The picture is not the one that was asked for.")
            }
        }
    }

    static func store(_ call: Call) async throws -> HTTPResponse {
        let type = call.request.headers["Content-Type"]?.lowercased() ?? ""
        guard Thumbnail.types.contains(type) else {
            throw Problem(
                415, "not_a_picture",
                "A thumbnail is one of \(Thumbnail.types.joined(separator: ", ")).")
        }
        let data = try await call.collectBody(upTo: Thumbnail.longest)
        guard !data.isEmpty else { throw Problem(422, "empty_picture", "A thumbnail has bytes.") }
        let base = try call.version("base")
        try await call.requireRoom(for: data.count)
        return try await call.changeDomain(data) { transaction, domain in
            let item = try transaction.db.item(call["item"], in: domain)
            try transaction.setThumbnail(
                Thumbnail(type: type, data: data), of: item.id, base: base, in: domain)
            return try ItemOperations.answer(item.id, transaction, domain)
        }
    }
}
