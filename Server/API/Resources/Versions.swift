import BasketContent
import BasketHTTP
import BasketModels
import BasketStore
import BasketSupport

/// Earlier contents of an item, and those that lost a race.
enum Versions {
    static let endpoints: [Endpoint] = [
        Endpoint(.get, "/v1/domains/{domain}/items/{item}/versions", list),
        Endpoint(
            .post, "/v1/domains/{domain}/items/{item}/versions/{version}/restore",
            conditions: .base, restore),
        Endpoint(
            .post, "/v1/domains/{domain}/items/{item}/conflicts/resolve", conditions: .base,
            resolve),
    ]

    static func list(_ call: Call) async throws -> HTTPResponse {
        let page = try ListPage(call)
        let newest = Version(page.after)
        guard page.after.isEmpty || newest != nil else { throw StoreError.cursorExpired }
        return try await call.readAtLength { db, domain in
            let item = try db.item(call["item"], in: domain)
            let versions = try db.versions(of: item, before: newest, limit: page.wanted)
            return .json { writer in
                page.write("versions", versions, by: \.version.description, to: &writer) {
                    write($0, to: &$1)
                }
            }
        }
    }

    static func restore(_ call: Call) async throws -> HTTPResponse {
        let (request, bytes) = try await call.optionalJSON(
            RestoreVersionRequest.self, default: RestoreVersionRequest())
        guard let version = Version(call["version"]) else {
            throw StoreError.noSuchVersion(call["version"])
        }
        return try await call.changeDomain(bytes) { transaction, domain in
            let item = try transaction.db.item(call["item"], in: domain)
            try transaction.restoreVersion(version, of: item.id, base: request.base, in: domain)
            return try ItemOperations.answer(item.id, transaction, domain)
        }
    }

    static func resolve(_ call: Call) async throws -> HTTPResponse {
        let (request, bytes) = try await call.json(ResolveConflictsRequest.self)
        return try await call.changeDomain(bytes) { transaction, domain in
            let item = try transaction.db.item(call["item"], in: domain)
            let created = try transaction.resolveConflicts(
                of: item.id, keep: request.keep, base: request.base, in: domain)
            return try ItemOperations.answer(item.id, created: created, transaction, domain)
        }
    }

    private static func write(_ version: ItemVersion, to writer: inout JSONWriter) {
        writer.key("version")
        writer.string(version.version.description)
        writer.key("standing")
        writer.string(version.standing.rawValue)
        writer.key("size")
        writer.number(version.size)
        writer.key("sha256")
        writer.string(version.hash.hex)
        if let base = version.base {
            writer.key("base")
            writer.string(base.description)
        }
        if let author = version.authorName {
            writer.key("account")
            writer.string(author)
        }
        if let device = version.deviceName {
            writer.key("device")
            writer.string(device)
        }
        writer.key("stored")
        writer.string(version.stored.rfc3339)
        writer.key("modified")
        writer.string(version.modified.rfc3339)
    }
}
