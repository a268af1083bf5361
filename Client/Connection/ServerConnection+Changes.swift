import BasketModels
import BasketSupport

// What changed in a domain.
extension ServerConnection {
    private struct AnchorAnswer: Decodable {
        var anchor: String
    }

    /// How much longer than asked a long poll may take: the server must have time to answer.
    private static let pollMargin = Duration.seconds(30)

    package func anchor(of domain: String) async throws(ConnectionError) -> String {
        try await value(AnchorAnswer.self, APICall("GET", ["v1", "domains", domain, "anchor"]))
            .anchor
    }

    /// Has every client list everything again; for the owner.
    package func resetAnchor(of domain: String) async throws(ConnectionError) -> String {
        try await value(
            AnchorAnswer.self, APICall("POST", ["v1", "domains", domain, "anchor", "reset"])
        ).anchor
    }

    /// A page of changes; without an anchor, of everything that there is.
    /// - Parameter seconds: how long the server waits for something to tell, up to 60.
    package func changes(
        in domain: String, since anchor: String?, limit: Int = 2000, waitingSeconds seconds: Int = 0
    ) async throws(ConnectionError) -> ChangePage {
        var call = APICall(
            "GET", ["v1", "domains", domain, "changes"],
            query: [
                ("since", anchor), ("limit", "\(limit)"),
                ("wait", seconds > 0 ? "\(seconds)" : nil),
            ])
        if seconds > 0 {
            call.timeouts = TransportTimeouts(firstByte: .seconds(seconds) + Self.pollMargin)
            call.isStream = true  // It would keep others waiting.
        }
        let page: ChangePage = try await value(call)
        // Whoever goes on there never comes to the end.
        guard !page.more || page.anchor != anchor else {
            throw .badAnswer("the changes go on where they were")
        }
        return page
    }

    /// All changes in one stream, which is the quickest way to a million items. Not repeated by itself:
    /// what was consumed cannot be taken back, so the caller decides.
    /// - Parameter consumer: gets some items at a time, in their order; a slow one slows the server down.
    /// - Returns: the anchor from which to go on.
    package func allChanges(
        in domain: String, since anchor: String?,
        consumer: ([ItemInfo]) async throws -> Void
    ) async throws(ConnectionError) -> String {
        let call = APICall(
            "GET", ["v1", "domains", domain, "changes"], query: [("since", anchor)]
        ).with("Accept", "application/x-ndjson")
        let reader = ChangeLineReader()
        _ = try await exchange(call) { head, bytes in
            guard head.mediaType == "application/x-ndjson" else {
                throw ConnectionError.badAnswer("the changes come as no stream of lines")
            }
            let items = try reader.take(bytes)
            if !items.isEmpty { try await consumer(items) }
        }
        guard let anchor = reader.anchor else {
            // The connection ended well, but the server's work did not.
            throw .unreachable(.broken("the stream of changes ended without an anchor"))
        }
        return anchor
    }
}
