import BasketDatabase
import BasketHTTP
import BasketModels
import BasketStore

/// Items by the words in their names and tags.
enum Search {
    static let endpoints: [Endpoint] = [Endpoint(.get, "/v1/domains/{domain}/search", search)]

    static let largestPage = 200
    static let deepest = 10_000
    /// How many changes are indexed in one go before a search answers.
    private static let step = 2000

    static func search(_ call: Call) async throws -> HTTPResponse {
        guard let text = call.request.queryValue("q"), let query = SearchQuery(text) else {
            throw Problem.badParameter("q", "a word, at least")
        }
        let limit = try call.number("limit", in: 1...largestPage, default: 50)
        let offset = try call.number("offset", in: 0...deepest, default: 0)
        do {
            try await catchUp(call)
        } catch let error as SQLiteError where error.isFull {
            // What is indexed can be found all the same.
        }
        return try await call.readAtLength { db, domain in
            let json = ItemJSON(domain: domain, db: db)
            var writer = JSONWriter(capacity: 16 << 10)
            var count = 0
            try writer.object { writer in
                writer.key("items")
                try writer.array { writer in
                    try db.search(query, in: domain, skipping: offset, limit: limit + 1) {
                        row throws(SQLiteError) in
                        count += 1
                        if count <= limit { try json.write(row, to: &writer) }
                        return true
                    }
                }
                writer.key("more")
                writer.bool(count > limit)
            }
            writer.endLine()
            return .json(writer.bytes)
        }
    }

    /// The index follows the writes; whoever searches waits until it has seen what was there when
    /// they asked.
    private static func catchUp(_ call: Call) async throws {
        let domain = try call.read { db, domain in
            try db.isSearchCurrent(domain) ? nil : domain.id
        }
        guard let domain else { return }
        var isDone = false
        while !isDone {
            try Task.checkCancellation()
            isDone = try await call.store.write {
                try $0.indexForSearch(domain: domain, limit: step)
            }
        }
    }
}
