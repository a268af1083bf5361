import BasketContent
import BasketModels
import BasketSupport

// Items: files, folders and symlinks.
extension ServerConnection {
    /// By what a listing is ordered.
    package enum Sort: String, Sendable {
        case name, modified, created, size, kind
    }

    func items(_ domain: String, _ rest: String...) -> [String] {
        ["v1", "domains", domain, "items"] + rest
    }

    package func item(
        _ item: String, in domain: String
    ) async throws(ConnectionError) -> ItemInfo {
        try await value(APICall("GET", items(domain, item)))
    }

    /// A page of a folder; `cursor` is `next` of the page before, asked for in the same order.
    package func children(
        of folder: String, in domain: String, sort: Sort = .name, descending: Bool = false,
        limit: Int = 1000, cursor: String? = nil
    ) async throws(ConnectionError) -> ChildrenPage {
        let page: ChildrenPage = try await value(
            APICall(
                "GET", items(domain, folder, "children"),
                query: [
                    ("sort", sort.rawValue), ("descending", descending ? "true" : nil),
                    ("limit", "\(limit)"), ("cursor", cursor),
                ]))
        // Whoever goes on there never comes to the end.
        guard page.next == nil || page.next != cursor else {
            throw .badAnswer("a listing goes on where it was")
        }
        return page
    }

    /// Makes an item: empty, with a small content, or with a manifest whose chunks the server has.
    package func create(
        _ request: CreateItemRequest, in domain: String
    ) async throws(ConnectionError) -> ItemAnswer {
        var call = try APICall("POST", items(domain)).json(request)
        // The server reads all of it again.
        if let manifest = request.manifest {
            call.timeouts = TransportTimeouts(firstByte: Self.storingTime(of: manifest.size))
        }
        let (head, body) = try await answer(to: call)
        var answer = try AnswerReader.read(ItemAnswer.self, body)
        answer.isNew = head.status == 201
        return answer
    }

    package func change(
        _ item: String, in domain: String, _ request: ChangeItemRequest
    ) async throws(ConnectionError) -> ItemAnswer {
        try await value(APICall("PATCH", items(domain, item)).json(request))
    }

    /// Past the trash.
    /// - Parameter base: the content version that was seen; a file with another one stays.
    package func delete(
        _ item: String, in domain: String, base: Version? = nil, recursive: Bool = false
    ) async throws(ConnectionError) {
        try await done(
            APICall(
                "DELETE", items(domain, item),
                query: [("base", base?.description), ("recursive", recursive ? "true" : nil)]))
    }

    package func trash(
        _ item: String, in domain: String, base: Version? = nil
    ) async throws(ConnectionError) -> ItemAnswer {
        try await value(
            APICall("POST", items(domain, item, "trash")).json(TrashRequest(base: base)))
    }

    /// Out of the trash: to where it was, or to where the request says.
    package func restore(
        _ item: String, in domain: String, _ request: RestoreRequest = RestoreRequest()
    ) async throws(ConnectionError) -> ItemAnswer {
        try await value(APICall("POST", items(domain, item, "restore")).json(request))
    }

    /// Brings back what was deleted since a moment.
    package func undelete(
        in domain: String, _ request: UndeleteRequest
    ) async throws(ConnectionError) -> UndeleteAnswer {
        try await value(APICall("POST", ["v1", "domains", domain, "undelete"]).json(request))
    }

    package func search(
        _ words: String, in domain: String, limit: Int = 50, offset: Int = 0
    ) async throws(ConnectionError) -> SearchPage {
        try await value(
            APICall(
                "GET", ["v1", "domains", domain, "search"],
                query: [("q", words), ("limit", "\(limit)"), ("offset", "\(offset)")]))
    }

    /// Many operations in one commit. An atomic batch of which one failed is an answer too: each result
    /// says why.
    /// - Parameter isKeyed: false when each operation can be sent twice by itself; the server then keeps no
    ///   answer to the whole.
    package func batch(
        _ request: BatchRequest, in domain: String, isKeyed: Bool = true
    ) async throws(ConnectionError) -> BatchAnswer {
        var call = try APICall("POST", ["v1", "domains", domain, "batch"]).json(request)
        call.isKeyed = isKeyed
        let (head, body) = try await answer(to: call, accepting: 409)
        // Other refusals have that status as well.
        guard head.mediaType == "application/json" else {
            throw AnswerReader.refusal(head, body)
        }
        let answer = try AnswerReader.read(BatchAnswer.self, body)
        guard answer.results.count == request.operations.count else {
            throw .badAnswer(
                "\(answer.results.count) results for \(request.operations.count) operations")
        }
        return answer
    }
}
