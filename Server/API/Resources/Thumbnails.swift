import BasketHTTP
import BasketModels
import BasketStore

/// Small pictures of items, made by whoever can.
enum Thumbnails {
    static let endpoints: [Endpoint] = [
        Endpoint(.get, "/v1/domains/{domain}/items/{item}/thumbnail", fetch),
        Endpoint(.put, "/v1/domains/{domain}/items/{item}/thumbnail", store),
    ]

    static func fetch(_ call: Call) async throws -> HTTPResponse {
        try call.read { db, domain in
            let item = try db.item(call["item"], in: domain)
            guard let thumbnail = try db.thumbnail(of: item.id) else {
                throw Problem(404, "no_thumbnail", "Item \(item.id) has no thumbnail.")
            }
            return HTTPResponse(
                status: 200,
                headers: [
                    "Content-Type": thumbnail.type, "ETag": "\"\(item.contentVersion)\"",
                    "X-Content-Type-Options": "nosniff", "Cache-Control": "private, no-cache",
                ],
                body: .bytes(thumbnail.data))
        }
    }

    static func store(_ call: Call) async throws -> HTTPResponse {
        let type = call.request.headers["Content-Type"]?.lowercased() ?? ""
        guard Thumbnail.types.contains(type) else {
            throw Problem(
                415, "not_a_picture",
                "A thumbnail is one of \(Thumbnail.types.joined(separator: ", ")).")
        }
        let data = try await call.request.body.collect(upTo: Thumbnail.longest)
        guard !data.isEmpty else { throw Problem(422, "empty_picture", "A thumbnail has bytes.") }
        let base = try call.version("base")
        return try await call.changeDomain(data) { transaction, domain in
            let item = try transaction.db.item(call["item"], in: domain)
            try transaction.setThumbnail(
                Thumbnail(type: type, data: data), of: item.id, base: base, in: domain)
            return try ItemOperations.answer(item.id, transaction, domain)
        }
    }
}
