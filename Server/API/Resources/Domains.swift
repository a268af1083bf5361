import BasketBlobs
import BasketDatabase
import BasketHTTP
import BasketModels
import BasketStore
import BasketSupport

/// Domains, and who has a part in them.
enum Domains {
    static let endpoints: [Endpoint] = [
        Endpoint(.get, "/v1/domains", list),
        Endpoint(.post, "/v1/domains", create),
        Endpoint(.get, "/v1/domains/{domain}", show),
        Endpoint(.patch, "/v1/domains/{domain}", change),
        Endpoint(.delete, "/v1/domains/{domain}", delete),
        Endpoint(.get, "/v1/domains/{domain}/members", members),
        Endpoint(.put, "/v1/domains/{domain}/members/{account}", setMember),
        Endpoint(.delete, "/v1/domains/{domain}/members/{account}", removeMember),
    ]

    static func list(_ call: Call) async throws -> HTTPResponse {
        let page = try ListPage(call)
        let free = await diskRoom(call)
        let rows = try call.store.read { db in
            try db.domains(of: call.identity.account, after: page.after, limit: page.wanted)
                .map { ($0, try room(in: $0, free, db)) }
        }
        return .json { writer in
            page.write("domains", rows, by: \.0.name, to: &writer) { write($0.0, $0.1, to: &$1) }
        }
    }

    static func show(_ call: Call) async throws -> HTTPResponse {
        let free = await diskRoom(call)
        return try call.read { db, domain in
            let room = try room(in: domain, free, db)
            return .json { write(domain, room, to: &$0) }
        }
    }

    static func create(_ call: Call) async throws -> HTTPResponse {
        let (request, bytes) = try await call.json(CreateDomainRequest.self)
        if let answer = try call.earlierAnswer(to: bytes) { return answer }
        let free = await diskRoom(call)
        let response = try await call.change(bytes, status: 201) { transaction in
            let number = try transaction.createDomain(
                request.name, caseRule: request.caseRule ?? .posix, hasTrash: request.trash ?? true,
                quota: request.quota)
            return try document(number, free, call, transaction.db)
        }
        call.audit("domain created", "domain", request.name)
        return response
    }

    static func change(_ call: Call) async throws -> HTTPResponse {
        let (request, bytes) = try await call.json(ChangeDomainRequest.self)
        if let answer = try call.earlierAnswer(to: bytes) { return answer }
        let free = await diskRoom(call)
        let response = try await call.changeDomain(bytes) { transaction, domain in
            var change = DomainChange()
            change.name = request.name
            change.hasTrash = request.trash
            change.quota = request.quota
            try transaction.change(domain, change)
            return try document(domain.id, free, call, transaction.db)
        }
        if !request.quota.isKeep { call.audit("quota changed", "domain", call["domain"]) }
        return response
    }

    static func delete(_ call: Call) async throws -> HTTPResponse {
        if let answer = try call.earlierAnswer(to: []) { return answer }
        let response = try await call.changeDomain(status: 204) { transaction, domain in
            try transaction.deleteDomain(domain)
            return []
        }
        call.audit("domain deleted", "domain", call["domain"])
        return response
    }

    // MARK: Members

    static func members(_ call: Call) async throws -> HTTPResponse {
        let page = try ListPage(call)
        return try call.read { db, domain in
            let members = try db.members(of: domain.id, after: page.after, limit: page.wanted)
            return .json { writer in
                page.write("members", members, by: \.accountName, to: &writer) {
                    write($0, to: &$1)
                }
            }
        }
    }

    static func setMember(_ call: Call) async throws -> HTTPResponse {
        let (request, bytes) = try await call.json(MemberRequest.self)
        if let answer = try call.earlierAnswer(to: bytes) { return answer }
        let response = try await call.changeDomain(bytes) { transaction, domain in
            try transaction.setMember(call["account"], role: request.role, of: domain)
            let member = try transaction.db.member(call["account"], of: domain.id)
            return JSONWriter.document { write(member, to: &$0) }
        }
        call.audit("member changed", "member", "\(call["account"]) in \(call["domain"])")
        return response
    }

    static func removeMember(_ call: Call) async throws -> HTTPResponse {
        if let answer = try call.earlierAnswer(to: []) { return answer }
        let response = try await call.changeDomain(status: 204) { transaction, domain in
            try transaction.removeMember(call["account"], of: domain)
            return []
        }
        call.audit("member removed", "member", "\(call["account"]) in \(call["domain"])")
        return response
    }

    // MARK: Room

    /// What the disk still takes; nil where nobody knows.
    private static func diskRoom(_ call: Call) async -> Int64? {
        try? await call.service.blobs.availableBytes()
    }

    /// What may still be written: whichever ends first of what the quotas leave, and the disk.
    private static func room(
        in domain: Domain, _ free: Int64?, _ db: Connection
    ) throws -> Int64? {
        let rooms = [try db.mostRoom(in: domain), free].compactMap { $0 }
        return rooms.min().map { max(0, $0) }
    }

    // MARK: JSON

    private static func write(_ member: Member, to writer: inout JSONWriter) {
        writer.key("account")
        writer.string(member.accountName)
        writer.key("displayName")
        writer.string(member.displayName)
        writer.key("role")
        writer.string(member.role.rawValue)
        if member.isOffered {
            writer.key("offered")
            writer.bool(true)
        }
    }

    private static func document(
        _ number: Int64, _ free: Int64?, _ call: Call, _ db: Connection
    ) throws -> [UInt8] {
        let domain = try db.domain(ItemID(rawValue: number).description, for: call.identity)
        let room = try room(in: domain, free, db)
        return JSONWriter.document { write(domain, room, to: &$0) }
    }

    private static func write(
        _ domain: Domain, _ available: Int64?, to writer: inout JSONWriter
    ) {
        writer.key("id")
        writer.string(ItemID(rawValue: domain.id).description)
        writer.key("name")
        writer.string(domain.name)
        writer.key("role")
        writer.string(domain.role.rawValue)
        writer.key("caseRule")
        writer.string(domain.caseRule.rawValue)
        writer.key("trash")
        writer.bool(domain.hasTrash)
        writer.key("items")
        writer.number(domain.items)
        writer.key("used")
        writer.number(domain.used)
        writer.key("history")
        writer.number(domain.history)
        if let quota = domain.quota {
            writer.key("quota")
            writer.number(quota)
        }
        if let available {
            writer.key("available")
            writer.number(available)
        }
        writer.key("anchor")
        writer.string(domain.anchor.description)
        writer.key("created")
        writer.string(domain.created.rfc3339)
    }
}
