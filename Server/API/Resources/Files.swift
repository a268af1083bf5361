import BasketContent
import BasketDatabase
import BasketHTTP
import BasketModels
import BasketStore
import BasketSupport

/// The same items by their paths, for people with curl.
enum Files {
    static let endpoints: [Endpoint] = [
        Endpoint(.get, "/v1/domains/{domain}/files/{path...}", fetch),
        Endpoint(.put, "/v1/domains/{domain}/files/{path...}", conditions: .versionOrNew, store),
        Endpoint(.delete, "/v1/domains/{domain}/files/{path...}", conditions: .version, delete),
    ]

    /// A file's content, or a page of a folder.
    static func fetch(_ call: Call) async throws -> HTTPResponse {
        let path = names(call)
        let (item, file): (ItemID, ContentDelivery?) = try call.read { db, domain in
            let item = try db.item(at: path, in: domain)
            guard item.kind == .file else {
                guard item.kind == .folder else { throw StoreError.notAFile(item.id) }
                return (item.id, nil)
            }
            guard !wantsFolder(call) else { throw StoreError.notAFolder(item.id) }
            return (item.id, try Contents.delivery(of: item, call, db))
        }
        if let file { return try await file.response() }
        return try await Items.children(call, of: item)
    }

    /// Makes a file or gives it another content; with a slash at the end, makes a folder.
    static func store(_ call: Call) async throws -> HTTPResponse {
        let path = names(call)
        guard !path.isEmpty else { throw StoreError.permanentItem("root") }
        let makesParents = try call.flag("parents")
        if wantsFolder(call) { return try await makeFolder(path, makesParents, call) }
        let condition = try Contents.condition(call)
        let modified = try Contents.modificationDate(call)
        let mustBeNew = mustBeNew(call)
        guard !ManifestJSON.isAnnounced(by: call.request) else {
            throw Problem.badParameter(
                "Content-Type", "bytes; a manifest goes to the content of an item")
        }
        let domain = try await prepare(path, condition, mustBeNew, makesParents, call)
        let intake = ContentIntake(call: call, domain: domain)
        let content = try await intake.receiveAside()
        return try await call.answer(storing: content, content.hash.bytes) { transaction in
            let domain = try transaction.db.domain(call["domain"], for: call.identity)
            let parent = try folder(path.dropLast(), makesParents, transaction, domain)
            let name = path[path.count - 1]
            func replace(_ existing: ItemID) throws -> StoredAnswer {
                let conflict = try transaction.replaceContent(
                    of: existing, with: content, condition: condition, modified: modified,
                    in: domain)
                let body = try ItemOperations.answer(
                    existing, conflict: conflict, transaction, domain)
                return StoredAnswer(status: 200, body: body)
            }
            if condition != .any || Contents.mustExist(call) {
                let existing = try transaction.db.child(name, of: parent, in: domain)
                guard let existing else { throw Problem.goneMeanwhile }
                guard !mustBeNew else { throw StoreError.nameTaken(existing.id) }
                return try replace(existing.id)
            }
            var metadata = MetadataChange()
            metadata.modified = modified.map { .set($0) } ?? .keep
            do {
                let id = try transaction.create(
                    ItemCreation(
                        parent: parent, name: name, kind: .file, metadata: metadata,
                        content: content),
                    in: domain)
                return StoredAnswer(
                    status: 201, body: try ItemOperations.answer(id, transaction, domain))
            } catch StoreError.nameTaken(let existing) where !mustBeNew {
                return try replace(existing)
            }
        }
    }

    static func delete(_ call: Call) async throws -> HTTPResponse {
        let path = names(call)
        let recursive = try call.flag("recursive")
        let toTrash = try call.flag("trash")
        let condition = try DeletionCondition(call)
        if toTrash {
            return try await call.changeDomain(status: 204) { transaction, domain in
                let item = try transaction.db.item(at: path, in: domain)
                try condition.check(item.id.description, transaction.db, in: domain)
                try transaction.trash(item.id, base: condition.version, in: domain)
                return []
            }
        }
        return try await call.delete(condition, recursive: recursive) { db, domain in
            try db.item(at: path, in: domain).id.description
        }
    }

    // MARK: Paths

    private static func names(_ call: Call) -> [String] {
        let rest = call.captures.rest
        return rest.last == "" ? Array(rest.dropLast()) : rest
    }

    /// Anything else that `If-None-Match` may say was refused before.
    private static func mustBeNew(_ call: Call) -> Bool {
        call.request.headers["If-None-Match"] != nil
    }

    private static func wantsFolder(_ call: Call) -> Bool {
        call.captures.rest.last == ""
    }

    private static func makeFolder(
        _ path: [String], _ makesParents: Bool, _ call: Call
    ) async throws -> HTTPResponse {
        try WriteConditions.new.check(call.request.headers)
        let mustBeNew = mustBeNew(call)
        // What somebody sends is never thrown away and answered as if it were there.
        guard try await call.request.body.next() == nil else {
            throw Problem.badParameter("path", "a folder has no bytes; leave the last slash away")
        }
        try await call.requireRoom()
        return try await call.answer([]) { transaction in
            let domain = try transaction.db.domain(call["domain"], for: call.identity)
            try domain.require(.writer)
            let parent = try folder(path.dropLast(), makesParents, transaction, domain)
            let isNew =
                try transaction.db.child(path[path.count - 1], of: parent, in: domain) == nil
            let id = try transaction.create(
                ItemCreation(
                    parent: parent, name: path[path.count - 1], kind: .folder,
                    ifExists: mustBeNew ? .fail : .merge),
                in: domain)
            return StoredAnswer(
                status: isNew ? 201 : 200, body: try ItemOperations.answer(id, transaction, domain))
        }
    }

    /// The folder at the path; made where it is missing, when that was asked for.
    private static func folder(
        _ path: ArraySlice<String>, _ makesMissing: Bool, _ transaction: Transaction,
        _ domain: Domain
    ) throws -> ItemID {
        var current = domain.root
        for name in path {
            if let next = try transaction.db.child(name, of: current, in: domain) {
                guard next.kind == .folder else { throw StoreError.notAFolder(next.id) }
                current = next.id
            } else {
                guard makesMissing else {
                    throw StoreError.noSuchItem(path.joined(separator: "/"))
                }
                current = try transaction.create(
                    ItemCreation(parent: current, name: name, kind: .folder), in: domain)
            }
        }
        return current
    }

    /// Refuses before the body is sent what could only be refused after it.
    private static func prepare(
        _ path: [String], _ condition: ContentCondition, _ mustBeNew: Bool, _ makesParents: Bool,
        _ call: Call
    ) async throws -> Domain {
        if try call.isRepeated() { return try call.read { _, domain in domain } }
        let (domain, replaced): (Domain, Int64) = try call.read { db, domain in
            try domain.require(.writer)
            var current: StoredItem?
            for (index, name) in path.enumerated() {
                if index > 0, current == nil { break }
                if let current, current.kind != .folder { throw StoreError.notAFolder(current.id) }
                if let problem = domain.caseRule.problem(with: name) {
                    throw StoreError.badName(field: "path", problem)
                }
                current = try db.child(name, of: current?.id ?? domain.root, in: domain)
                if current == nil, index < path.count - 1, !makesParents {
                    throw Problem(StoreError.noSuchItem(path.dropLast().joined(separator: "/")))
                        .with("hint", .text("Ask for parents=true to have folders made."))
                }
            }
            if let existing = current {
                guard existing.kind == .file else { throw StoreError.notAFile(existing.id) }
                guard !mustBeNew else { throw StoreError.nameTaken(existing.id) }
                try Contents.requireBase(condition, of: existing, call, db)
            } else if condition != .any || Contents.mustExist(call) {
                throw Problem.goneMeanwhile
            }
            return (domain, current?.size ?? 0)
        }
        try await Contents.checkAnnouncement(call, domain, replacing: replaced)
        return domain
    }
}

extension Problem {
    static let goneMeanwhile = Problem(
        412, "precondition_failed", "There is no file at this path any more.")
}
