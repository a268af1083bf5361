import BasketBlobs
import BasketContent
import BasketDatabase
import BasketHTTP
import BasketModels
import BasketStore
import BasketSupport

/// What files hold: whole, in ranges, as a list of chunks.
enum Contents {
    static let endpoints: [Endpoint] = [
        Endpoint(.get, "/v1/domains/{domain}/items/{item}/content", fetch),
        Endpoint(
            .put, "/v1/domains/{domain}/items/{item}/content", conditions: .version, replace),
        Endpoint(.get, "/v1/domains/{domain}/items/{item}/manifest", manifest),
        Endpoint(.get, "/v1/domains/{domain}/items/{item}/chunks", chunks),
    ]

    // MARK: Reading

    static func fetch(_ call: Call) async throws -> HTTPResponse {
        let found = try call.read { db, domain in
            try delivery(of: db.item(call["item"], in: domain), call, db)
        }
        return try await found.response()
    }

    static func manifest(_ call: Call) async throws -> HTTPResponse {
        try await call.readAtLength { db, domain in
            let item = try db.item(call["item"], in: domain)
            let delivery = try delivery(of: item, call, db)
            guard let content = delivery.content else { throw StoreError.noContent(item.id) }
            let manifest = try db.manifest(of: content)
            var response = HTTPResponse.json { writer in
                writer.key("version")
                writer.string(delivery.version.description)
                writer.key("manifest")
                writer.object { ManifestJSON.write(manifest, to: &$0) }
            }
            response.headers["ETag"] = HTTPETag(delivery.version.description).description
            return response
        }
    }

    static func chunks(_ call: Call) async throws -> HTTPResponse {
        let from = try call.number("from", in: 0...Int.max, default: 0)
        let to = try call.number("to", in: from...Int.max, default: .max)
        return try await call.readAtLength { db, domain in
            let item = try db.item(call["item"], in: domain)
            let delivery = try delivery(of: item, call, db)
            guard let content = delivery.content else { throw StoreError.noContent(item.id) }
            let run = try db.chunks(of: content, in: Int64(from)..<Int64(to))
            var response = HTTPResponse.json { writer in
                writer.key("version")
                writer.string(delivery.version.description)
                ManifestJSON.write(run, to: &writer)
            }
            response.headers["ETag"] = HTTPETag(delivery.version.description).description
            return response
        }
    }

    /// The current content, or an earlier one when the request names it.
    static func delivery(
        of item: StoredItem, _ call: Call, _ db: Connection
    ) throws -> ContentDelivery {
        try delivery(of: item, call.version("version"), call, db)
    }

    /// - Parameter version: nil for the current content.
    static func delivery(
        of item: StoredItem, _ version: Version?, _ call: Call, _ db: Connection
    ) throws -> ContentDelivery {
        guard item.kind == .file else { throw StoreError.notAFile(item.id) }
        guard let wanted = version, wanted != item.contentVersion else {
            return ContentDelivery(
                call: call, content: item.content, hash: item.hash, size: item.size,
                version: item.contentVersion, modified: item.modified, name: item.name)
        }
        let version = try db.version(wanted, of: item)
        return ContentDelivery(
            call: call, content: version.content, hash: version.hash, size: version.size,
            version: version.version, modified: version.modified, name: item.name)
    }

    // MARK: Writing

    static func replace(_ call: Call) async throws -> HTTPResponse {
        let modified = try modificationDate(call)
        let sent = try call.date("sent")
        let condition = try condition(call)
        let (domain, replaced, present) = try await prepare(call, condition)
        let intake = ContentIntake(call: call, domain: domain)
        let content: StagedContent
        var date = modified
        if ManifestJSON.isAnnounced(by: call.request) {
            let (request, _) = try await call.json(
                ContentFromManifestRequest.self, upTo: ManifestJSON.longest)
            content = try await intake.content(of: request.manifest, replacing: replaced)
            date = request.modified ?? modified
        } else {
            content = try await intake.receiveAside()
        }
        let finalDate = date
        let stamp = finalDate.map { Array($0.rfc3339.utf8) } ?? []
        return try await call.answer(storing: content, content.hash.bytes + stamp) { transaction in
            let domain = try transaction.db.domain(call["domain"], for: call.identity)
            let item = try transaction.db.item(call["item"], in: domain)
            let conflict = try transaction.replaceContent(
                of: item.id, with: content, condition: condition, over: present,
                modified: finalDate, sent: sent, in: domain)
            let body = try ItemOperations.answer(item.id, conflict: conflict, transaction, domain)
            return StoredAnswer(status: 200, body: body)
        }
    }

    /// Everything that can be refused before the body is sent is refused now: with `Expect:
    /// 100-continue`, it never is.
    ///
    /// - Returns: the domain, and the size and the version of what is replaced; nil for a request that may be
    ///   done already.
    private static func prepare(
        _ call: Call, _ condition: ContentCondition
    ) async throws -> (domain: Domain, replaced: Int64?, present: Version?) {
        if try call.isRepeated() { return try call.read { _, domain in (domain, nil, nil) } }
        let (domain, replaced, present) = try call.read { db, domain in
            try domain.require(.writer)
            let item = try db.item(call["item"], in: domain)
            guard item.kind == .file else { throw StoreError.notAFile(item.id) }
            try requireBase(condition, of: item, call, db)
            return (domain, item.size, item.contentVersion)
        }
        try await checkAnnouncement(call, domain, replacing: replaced)
        return (domain, replaced, present)
    }

    /// Refuses who had seen another version, unless the bytes may turn out to be those that are
    /// there: the same bytes are never a conflict.
    static func requireBase(
        _ condition: ContentCondition, of item: StoredItem, _ call: Call, _ db: Connection
    ) throws {
        guard case .base(let base) = condition, base != item.contentVersion,
            !db.isOwnEcho(of: base, item, call.identity)
        else { return }
        let hash = try ContentIntake.announcedHash(call.request)
        let length =
            ManifestJSON.isAnnounced(by: call.request)
            ? nil : call.request.body.announcedLength
        let mayBeSame = hash.map { $0 == item.hash } ?? length.map { $0 == item.size } ?? true
        guard mayBeSame else { throw StoreError.staleContent(item.id) }
    }

    /// What is announced and cannot be taken is refused before it is sent.
    ///
    /// - Parameter replaced: the size of the content that makes room.
    static func checkAnnouncement(
        _ call: Call, _ domain: Domain, replacing replaced: Int64
    ) async throws {
        _ = try ContentIntake.announcedHash(call.request)
        guard let announced = call.request.body.announcedLength else { return }
        let largest = call.service.settings.largestFile
        guard announced <= largest else { throw Problem.fileTooLarge(limit: largest) }
        // A manifest is not as long as what it lists, and the bytes that are there need no room.
        if !ManifestJSON.isAnnounced(by: call.request) {
            try ContentIntake(call: call, domain: domain)
                .requireQuota(for: announced, replacing: replaced)
        }
        if announced <= Int64(StagedContent.inlineLimit) {
            try await call.requireRoom(for: Int(announced))
        } else {
            try await call.service.blobs.requireRoom(for: announced)
        }
    }

    /// `If-Match` names the version that the writer had seen; `onConflict=keep` has what lost the
    /// race kept.
    static func condition(_ call: Call) throws -> ContentCondition {
        let keeps =
            switch call.request.queryValue("onConflict") {
            case nil, "fail": false
            case "keep": true
            default: throw Problem.badParameter("onConflict", "fail or keep")
            }
        let header = call.request.headers.all("If-Match")
        guard !header.isEmpty else { return .any }
        guard let version = try version(inIfMatch: header) else { return .any }
        return keeps ? .baseOrKeep(version) : .base(version)
    }

    /// The content version that `If-Match` names; nil for `*`.
    static func version(inIfMatch header: [String]) throws -> Version? {
        guard let tags = HTTPETagList(header) else {
            throw Problem.badParameter("If-Match", "a content version in quotes")
        }
        switch tags {
        case .any: return nil
        case .tags(let tags):
            guard tags.count == 1 else {
                throw Problem.badParameter("If-Match", "one content version in quotes")
            }
            guard !tags[0].isWeak, let version = Version(tags[0].value) else {
                throw Problem(
                    412, "precondition_failed", "If-Match names no version of this content.")
            }
            return version
        }
    }

    /// `If-Match: *` asks for any content, but for one.
    static func mustExist(_ call: Call) -> Bool {
        HTTPETagList(call.request.headers.all("If-Match")) == .any
    }

    /// The content's own date: `X-Modified: 2026-11-21T09:30:00Z`, or `modified` in the query.
    static func modificationDate(_ call: Call) throws -> Timestamp? {
        guard let text = call.request.headers["X-Modified"] else {
            return try call.date("modified")
        }
        guard let date = Timestamp(rfc3339: text) else {
            throw Problem.badParameter("X-Modified", "a date such as 2026-11-21T09:30:00Z")
        }
        return date
    }
}
