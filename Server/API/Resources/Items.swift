import BasketDatabase
import BasketHTTP
import BasketModels
import BasketStore
import BasketSupport

/// Items: looking at them, listing them, making, changing and deleting them.
enum Items {
    static let endpoints: [Endpoint] = [
        Endpoint(.get, "/v1/domains/{domain}/items/{item}", show),
        Endpoint(.get, "/v1/domains/{domain}/items/{item}/children", children),
        Endpoint(.post, "/v1/domains/{domain}/items", create),
        Endpoint(
            .patch, "/v1/domains/{domain}/items/{item}", conditions: .metadata, change),
        Endpoint(.delete, "/v1/domains/{domain}/items/{item}", conditions: .version, delete),
        Endpoint(
            .post, "/v1/domains/{domain}/items/{item}/trash", conditions: .base, trash),
        Endpoint(.post, "/v1/domains/{domain}/items/{item}/restore", restore),
        Endpoint(.post, "/v1/domains/{domain}/undelete", undelete),
    ]

    // MARK: Looking

    /// Called more often than anything else: it never leaves the connection's thread.
    static func show(_ call: Call) async throws -> HTTPResponse {
        try call.read { db, domain in
            let now = call.world.now()
            let json = ItemJSON(domain: domain, db: db)
            var writer = JSONWriter(capacity: 768)
            try db.withItem(call["item"], in: domain) { row throws(SQLiteError) in
                let id = ItemID(rawValue: row.integer(ItemColumn.id))
                try json.write(row, to: &writer, locks: db.locks(on: id, at: now))
            }
            writer.endLine()
            return .json(writer.bytes)
        }
    }

    static let largestPage = 1000
    /// A page ends early when its items are large: they may bear long attributes.
    static let pageBytes = 4 << 20

    static func children(_ call: Call) async throws -> HTTPResponse {
        try await children(call, of: nil)
    }

    /// - Parameter known: the folder, when it was named otherwise than by the path's `item`.
    static func children(_ call: Call, of known: ItemID?) async throws -> HTTPResponse {
        let limit = try call.number("limit", in: 1...largestPage, default: 200)
        let order = try call.choice("sort", default: ItemOrder.name)
        let isDescending = try call.flag("descending")
        let cursor = try call.request.queryValue("cursor").map { text throws(Problem) in
            guard let cursor = ListCursor(text) else { throw Problem(StoreError.cursorExpired) }
            return cursor
        }
        return try await call.readAtLength { db, domain in
            let folder =
                try known.map { try db.item($0, in: domain) } ?? db.item(call["item"], in: domain)
            guard folder.kind == .folder else { throw StoreError.notAFolder(folder.id) }
            let json = ItemJSON(domain: domain, db: db)
            var writer = JSONWriter(capacity: 64 << 10)
            var count = 0
            var last: ListCursor?
            var next: ListCursor?
            try writer.object { writer in
                writer.key("items")
                try writer.array { writer in
                    try db.children(
                        of: folder, in: domain, order: order, isDescending: isDescending,
                        after: cursor, limit: limit + 1
                    ) { row throws(SQLiteError) in
                        if count == limit || writer.bytes.count > pageBytes {
                            next = last
                            return false
                        }
                        try json.write(row, to: &writer)
                        count += 1
                        if count == limit || writer.bytes.count > pageBytes {
                            last = try db.cursor(
                                after: row, order: order, isDescending: isDescending)
                        }
                        return true
                    }
                }
                if let next {
                    writer.key("next")
                    writer.string(next.text)
                }
            }
            writer.endLine()
            return .json(writer.bytes)
        }
    }

    // MARK: Changing

    /// A manifest may come along, and extended attributes.
    static let longestCreation = 16 << 20

    static func create(_ call: Call) async throws -> HTTPResponse {
        let (request, bytes) = try await call.json(CreateItemRequest.self, upTo: longestCreation)
        let content = try await ContentIntake.content(of: request, for: call)
        return try await call.answer(bytes) { transaction in
            let domain = try transaction.db.domain(call["domain"], for: call.identity)
            let result = try ItemOperations.create(request, content: content, transaction, domain)
            return StoredAnswer(
                status: result.isNew ? 201 : 200,
                body: try ItemOperations.answer(
                    result.id, refused: result.refused, transaction, domain))
        }
    }

    static func change(_ call: Call) async throws -> HTTPResponse {
        let (request, bytes) = try await call.json(ChangeItemRequest.self)
        if !request.metadata.xattrs.isEmpty { try await call.requireRoom(for: bytes.count) }
        return try await call.changeDomain(bytes) { transaction, domain in
            let (id, refused) = try ItemOperations.change(
                call["item"], request, transaction, domain)
            return try ItemOperations.answer(id, refused: refused, transaction, domain)
        }
    }

    static func delete(_ call: Call) async throws -> HTTPResponse {
        let condition = try DeletionCondition(call)
        let recursive = try call.flag("recursive")
        return try await call.delete(condition, recursive: recursive) { _, _ in call["item"] }
    }

    static func trash(_ call: Call) async throws -> HTTPResponse {
        let (request, bytes) = try await call.optionalJSON(
            TrashRequest.self, default: TrashRequest())
        return try await call.changeDomain(bytes) { transaction, domain in
            let item = try transaction.db.item(call["item"], in: domain)
            try transaction.trash(item.id, base: request.base, in: domain)
            return try ItemOperations.answer(item.id, transaction, domain)
        }
    }

    static func restore(_ call: Call) async throws -> HTTPResponse {
        let (request, bytes) = try await call.optionalJSON(
            RestoreRequest.self, default: RestoreRequest())
        return try await call.changeDomain(bytes) { transaction, domain in
            let item = try transaction.db.item(call["item"], in: domain)
            let folder = try request.parent.map { try transaction.db.item($0, in: domain).id }
            try transaction.restore(item.id, to: folder, name: request.name, in: domain)
            return try ItemOperations.answer(item.id, transaction, domain)
        }
    }

    static func undelete(_ call: Call) async throws -> HTTPResponse {
        let (request, bytes) = try await call.json(UndeleteRequest.self)
        if let earlier = try call.earlierAnswer(to: bytes) { return earlier }
        let device = request.device?.rawValue
        var rest = try call.read { db, domain in
            try domain.require(.writer)
            let deleter = try request.account.map { try db.account(named: $0).number }
            if let device { try db.requireDeleter(device: device, in: domain) }
            return Undeletion(
                since: request.since, device: device, account: deleter, upTo: domain.anchor.rank,
                skippingReplaced: request.ifExists == .skip)
        }
        // What is too much for one transaction comes back in several, in between of which others write.
        while let part = try await call.store.write(
            as: call.identity,
            { [rest] transaction in
                try transaction.undeletePart(
                    of: rest, in: transaction.db.domain(call["domain"], for: call.identity))
            })
        {
            rest = part
            try Task.checkCancellation()
        }
        return try await call.changeDomain(bytes) { [rest] transaction, domain in
            let done = try transaction.undelete(rest, in: domain)
            return JSONWriter.document { writer in
                writer.key("restored")
                writer.number(done.restored)
                guard done.skipsReplaced else { return }
                writer.key("skipped")
                writer.number(done.skipped)
            }
        }
    }
}
