import BasketHTTP
import BasketModels
import BasketStore
import BasketSupport

/// "In use": who has an item open.
enum Locks {
    static let endpoints: [Endpoint] = [
        Endpoint(.get, "/v1/domains/{domain}/items/{item}/lock", show),
        Endpoint(.put, "/v1/domains/{domain}/items/{item}/lock", take),
        Endpoint(.delete, "/v1/domains/{domain}/items/{item}/lock", giveUp),
    ]

    static let standardSeconds = 60
    static let longestNote = 255

    static func show(_ call: Call) async throws -> HTTPResponse {
        try call.read { db, domain in
            let item = try db.item(call["item"], in: domain)
            return .json(document(try db.locks(on: item.id, at: call.world.now())))
        }
    }

    static func take(_ call: Call) async throws -> HTTPResponse {
        let (request, bytes) = try await call.optionalJSON(LockRequest.self, default: LockRequest())
        let seconds = request.seconds ?? standardSeconds
        guard (1...Int(Transaction.longestLock.components.seconds)).contains(seconds) else {
            throw StoreError.badField(
                field: "seconds", reason: "1 to \(Transaction.longestLock.components.seconds)")
        }
        let note = request.note ?? ""
        guard note.utf8.count <= longestNote else {
            throw StoreError.badField(field: "note", reason: "up to \(longestNote) bytes")
        }
        guard call.identity.device != nil else {
            throw Problem(
                403, "needs_device", "A lock belongs to a device.",
                detail: "Log in with POST /v1/sessions and use its token.")
        }
        return try await call.changeDomain(bytes) { transaction, domain in
            let item = try transaction.db.item(call["item"], in: domain)
            try transaction.lock(item.id, for: .seconds(seconds), note: note, in: domain)
            return document(try transaction.db.locks(on: item.id, at: transaction.now))
        }
    }

    static func giveUp(_ call: Call) async throws -> HTTPResponse {
        let everybody = try call.flag("force")
        if let answer = try call.earlierAnswer(to: []) { return answer }
        let response = try await call.changeDomain(status: 204) { transaction, domain in
            let item = try transaction.db.item(call["item"], in: domain)
            try transaction.unlock(item.id, everybody: everybody, in: domain)
            return []
        }
        if everybody { call.audit("lock broken", "item", call["item"]) }
        return response
    }

    private static func document(_ locks: [ItemLock]) -> [UInt8] {
        JSONWriter.document { writer in
            writer.key("locks")
            writer.array { writer in
                for lock in locks { LockJSON.write(lock, to: &writer) }
            }
        }
    }
}
