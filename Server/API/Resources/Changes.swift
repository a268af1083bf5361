import BasketDatabase
import BasketHTTP
import BasketModels
import BasketStore
import BasketSupport

/// The change feed of a domain.
enum Changes {
    static let endpoints: [Endpoint] = [
        Endpoint(.get, "/v1/domains/{domain}/changes", changes),
        Endpoint(.get, "/v1/domains/{domain}/anchor", anchor),
        Endpoint(.post, "/v1/domains/{domain}/anchor/reset", resetAnchor),
    ]

    static let largestPage = 2000
    static let longestWait = 60

    static func anchor(_ call: Call) async throws -> HTTPResponse {
        try call.read { _, domain in
            .json { writer in
                writer.key("anchor")
                writer.string(domain.anchor.description)
            }
        }
    }

    static func resetAnchor(_ call: Call) async throws -> HTTPResponse {
        if let answer = try call.earlierAnswer(to: []) { return answer }
        let response = try await call.changeDomain { transaction, domain in
            try transaction.resetAnchors(of: domain)
            let anchor = try transaction.db.domain(call["domain"], for: call.identity).anchor
            return JSONWriter.document { writer in
                writer.key("anchor")
                writer.string(anchor.description)
            }
        }
        call.audit("anchors reset", "domain", call["domain"])
        return response
    }

    static func changes(_ call: Call) async throws -> HTTPResponse {
        let since = try call.request.queryValue("since").map { text throws(Problem) in
            guard let anchor = Anchor(text) else { throw Problem(StoreError.anchorExpired) }
            return anchor
        }
        if call.request.headers["Accept"]?.contains("application/x-ndjson") == true {
            return try stream(call, since: since)
        }
        let limit = try call.number("limit", in: 1...largestPage, default: 500)
        let wait = try call.number("wait", in: 0...longestWait, default: 0)
        let listener = wait > 0 ? try listen(call) : nil
        var page = try await Self.page(call, since: since, limit: limit)
        if let listener, since != nil, page.isEmpty {
            try await waitForChange(listener, seconds: wait, call.world)
            try await call.requireStillIn()
            page = try await Self.page(call, since: since, limit: limit)
        }
        return .json(page.bytes)
    }

    // MARK: Pages

    private struct Page: Sendable {
        let bytes: [UInt8]
        let isEmpty: Bool
    }

    private static func page(_ call: Call, since: Anchor?, limit: Int) async throws -> Page {
        try await call.readAtLength { db, domain in
            let json = ItemJSON(domain: domain, db: db)
            var writer = JSONWriter(capacity: 16 << 10)
            var end: FeedPage?
            try writer.object { writer in
                writer.key("items")
                try writer.array { writer in
                    end = try db.feed(of: domain, since: since, limit: limit) {
                        row throws(SQLiteError) in
                        try json.write(row, to: &writer)
                        return writer.bytes.count < Items.pageBytes
                    }
                }
                writer.key("anchor")
                writer.string((end?.anchor ?? domain.anchor).description)
                writer.key("more")
                writer.bool(end?.hasMore ?? false)
            }
            writer.endLine()
            return Page(bytes: writer.bytes, isEmpty: end?.count == 0)
        }
    }

    private static func listen(_ call: Call) throws -> ChangeListener {
        let domain = try call.read { _, domain in domain.id }
        return call.store.hub.listen(to: [domain])
    }

    /// Returns when the domain has changed, when the time is over, or when the server stops.
    private static func waitForChange(
        _ listener: ChangeListener, seconds: Int, _ world: World
    ) async throws {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                while !Task.isCancelled {
                    let events = await listener.next()
                    if events.contains(where: endsWaiting) { return }
                }
            }
            // Cancelled when the change comes first: an early end is what is wanted then.
            group.addTask { try? await world.sleep(.seconds(seconds)) }
            await group.next()
            group.cancelAll()
        }
        try Task.checkCancellation()
    }

    private static func endsWaiting(_ event: StoreEvent) -> Bool {
        switch event {
        case .changed, .stopping: true
        case .locked, .membership, .revoked, .accountChanged: false
        }
    }

    // MARK: One stream

    /// One item a line, and at the end the anchor: a million items without a million pages. Each
    /// page reads a state of its own, so that a slow reader holds nothing back on the server.
    private static func stream(_ call: Call, since: Anchor?) throws -> HTTPResponse {
        _ = try call.read { db, domain in
            // What is wrong with the anchor is said before the answer begins.
            try db.feed(of: domain, since: since, limit: 1) { _ in false }
        }
        let stream = HTTPStream { output in
            var anchor = since
            var hasMore = true
            while hasMore {
                try await call.requireStillIn()
                let start = anchor
                let (bytes, page) = try await call.readAtLength { db, domain in
                    let json = ItemJSON(domain: domain, db: db)
                    var writer = JSONWriter(capacity: 256 << 10)
                    let page = try db.feed(of: domain, since: start, limit: largestPage) {
                        row throws(SQLiteError) in
                        try json.write(row, to: &writer)
                        writer.endLine()
                        return writer.bytes.count < 256 << 10
                    }
                    if !page.hasMore {
                        writer.object { writer in
                            writer.key("anchor")
                            writer.string(page.anchor.description)
                        }
                        writer.endLine()
                    }
                    return (writer.bytes, page)
                }
                try await output.write(bytes)
                anchor = page.anchor
                hasMore = page.hasMore
            }
        }
        return HTTPResponse(
            status: 200,
            headers: ["Content-Type": "application/x-ndjson", "Cache-Control": "no-store"],
            body: .stream(stream))
    }
}
