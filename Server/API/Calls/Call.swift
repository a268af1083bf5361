import BasketBlobs
import BasketContent
import BasketDatabase
import BasketHTTP
import BasketModels
import BasketStore
import BasketSupport

/// One request on its way to its answer: what was asked, by whom, and what there is to answer with.
package struct Call: Sendable {
    var request: HTTPRequest
    let captures: RouteCaptures
    let identity: Identity
    let service: Service
    let memory: MemoryShare

    var store: Store { service.store }
    var world: World { service.world }

    /// A part of the path, by its name in the pattern.
    subscript(capture: String) -> String {
        guard let value = captures[capture] else {
            preconditionFailure("the route has no capture named \(capture)")
        }
        return value
    }

    // MARK: Parameters

    func flag(_ name: String, default standard: Bool = false) throws(Problem) -> Bool {
        switch request.queryValue(name) {
        case nil: return standard
        case "true", "", "1": return true
        case "false", "0": return false
        default: throw .badParameter(name, "true or false")
        }
    }

    func number(
        _ name: String, in range: ClosedRange<Int>, default standard: Int
    ) throws(Problem) -> Int {
        guard let text = request.queryValue(name) else { return standard }
        // No signs: `+5` is a space and a five, and -0 is nobody's number.
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard text.utf8.allSatisfy(digits.contains), let number = Int(text), range.contains(number)
        else {
            throw .badParameter(
                name, "a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: String, default standard: Choice
    ) throws(Problem) -> Choice where Choice.RawValue == String {
        guard let text = request.queryValue(name) else { return standard }
        guard let choice = Choice(rawValue: text) else {
            throw .badParameter(
                name, "one of \(Choice.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return choice
    }

    func date(_ name: String) throws(Problem) -> Timestamp? {
        guard let text = request.queryValue(name) else { return nil }
        guard let date = Timestamp(rfc3339: text) else {
            throw .badParameter(name, "a date such as 2026-11-21T09:30:00Z")
        }
        return date
    }

    func version(_ name: String) throws(Problem) -> Version? {
        guard let text = request.queryValue(name) else { return nil }
        guard let version = Version(text) else { throw .badParameter(name, "a version") }
        return version
    }

    // MARK: Reading

    /// Reads on the caller's thread: look-ups that take microseconds.
    func read<Result>(
        _ body: (Connection, Domain) throws -> Result
    ) throws -> Result {
        try store.read { db in try body(db, try db.domain(self["domain"], for: identity)) }
    }

    /// Reads lists: one state for all of it, elsewhere than on the connection's thread, stopped
    /// when the client goes away.
    func readAtLength<Result: Sendable>(
        _ body: @escaping @Sendable (Connection, Domain) throws -> Result
    ) async throws -> Result {
        try await service.aside {
            try await store.readAtLength { db in
                try body(db, try db.domain(self["domain"], for: identity))
            }
        }
    }

    /// The item that a refusal is about, as it is now: whoever was refused need not ask for it.
    func subject(of error: any Error) -> [UInt8]? {
        guard let id = (error as? StoreError)?.subject, captures["domain"] != nil else {
            return nil
        }
        // It may be gone by now, and the refusal says enough without it.
        return try? read { db, domain in try ItemJSON(domain: domain, db: db).bytes(of: id) }
    }

    /// The whole body, for as long as the request is worked on.
    func collectBody(upTo limit: Int) async throws -> [UInt8] {
        if let announced = request.body.announcedLength, announced > limit {
            throw HTTPBodyTooLarge(limit: limit)
        }
        var all: [UInt8] = []
        while let piece = try await request.body.next() {
            guard all.count + piece.count <= limit else { throw HTTPBodyTooLarge(limit: limit) }
            try memory.take(piece.count)
            if all.isEmpty { all = piece } else { all += piece }
        }
        return all
    }

    // MARK: Changing

    /// Changes the store once, however often the request is sent, and answers with JSON.
    ///
    /// - Parameter content: what of the request decides, besides its head: its body, or the hash of
    ///   a body that was not kept.
    func change(
        _ content: [UInt8] = [], status: Int = 200,
        _ body: @escaping @Sendable (Transaction) throws -> [UInt8]
    ) async throws -> HTTPResponse {
        try await answer(content) { transaction in
            StoredAnswer(status: status, body: try body(transaction))
        }
    }

    /// The same within the domain that the path names.
    func changeDomain(
        _ content: [UInt8] = [], status: Int = 200,
        _ body: @escaping @Sendable (Transaction, Domain) throws -> [UInt8]
    ) async throws -> HTTPResponse {
        try await change(content, status: status) { transaction in
            try body(transaction, try transaction.db.domain(self["domain"], for: identity))
        }
    }

    /// What an item takes in the database beside its content, with room to spare.
    private static let rowBytes: Int64 = 4 << 10

    /// Refuses what makes the database grow while the disk is nearly full: what is kept free is for
    /// deletions, and for the database to tidy up. Where it has room within, it does not grow. What was
    /// done already is answered all the same.
    func requireRoom(for bytes: Int = 0) async throws {
        guard try !isRepeated() else { return }
        let needed = Self.rowBytes + Int64(bytes)
        do {
            try await service.blobs.takeRoom(for: needed)
        } catch let refusal {
            guard case .insufficientStorage = refusal,
                try store.read({ try $0.reusableBytes() }) >= needed
            else { throw refusal }
            try await service.blobs.takeReusedRoom(for: needed)
        }
    }

    /// Deletes an item with everything in it: what is too much for one transaction in several, in between
    /// of which others write. Only the last one is this request's answer.
    ///
    /// - Parameter find: names the item, anew for each step.
    func delete(
        _ condition: DeletionCondition, recursive: Bool,
        _ find: @escaping @Sendable (Connection, Domain) throws -> String
    ) async throws -> HTTPResponse {
        var isLarge = recursive
        while isLarge, try !isRepeated() {
            try Task.checkCancellation()
            isLarge = try await store.write(as: identity) { transaction in
                let domain = try transaction.db.domain(self["domain"], for: identity)
                let item = try find(transaction.db, domain)
                try condition.check(item, transaction.db, in: domain)
                return try transaction.deletePart(
                    of: item, base: condition.version, recursive: true, in: domain) > 0
            }
        }
        return try await changeDomain(status: 204) { transaction, domain in
            let item = try find(transaction.db, domain)
            try condition.check(item, transaction.db, in: domain)
            try transaction.delete(
                item, base: condition.version, recursive: recursive, in: domain)
            return []
        }
    }

    func answer(
        _ content: [UInt8], _ body: @escaping @Sendable (Transaction) throws -> StoredAnswer
    ) async throws -> HTTPResponse {
        let key = try idempotencyKey(for: content)
        let answer = try await store.answer(identity, key, body)
        return Self.response(answer)
    }

    /// The answer that this very request was given before; nil for a new one. For what would be
    /// refused the second time because it was done the first time.
    func earlierAnswer(to content: [UInt8]) throws -> HTTPResponse? {
        guard let key = try idempotencyKey(for: content) else { return nil }
        return try store.read { try $0.givenAnswer(to: key, for: identity) }.map(Self.response)
    }

    /// Whether the request's key was answered before. What is looked at before the body is here
    /// must not refuse such a request: only with its body is it known to be the same.
    func isRepeated() throws -> Bool {
        guard let key = request.headers["Idempotency-Key"] else { return false }
        return try store.read { try $0.hasAnswered(key, for: identity) }
    }

    static func response(_ answer: StoredAnswer) -> HTTPResponse {
        answer.body.isEmpty
            ? HTTPResponse(status: answer.status) : .json(answer.body, status: answer.status)
    }

    static let longestKey = 255

    /// The sender's name for this request; nil when it has none.
    func idempotencyKey(for content: [UInt8]) throws(Problem) -> IdempotencyKey? {
        guard let key = request.headers["Idempotency-Key"] else { return nil }
        guard (1...Self.longestKey).contains(key.utf8.count) else {
            throw .badParameter("Idempotency-Key", "1 to \(Self.longestKey) bytes")
        }
        var hasher = SHA256()
        let query = request.query.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
        let fields = ["If-Match", "If-None-Match", "X-Modified"].map { request.headers[$0] ?? "" }
        let head = [request.method.rawValue, request.rawPath, query] + fields
        for part in head { hasher.update(Array(part.utf8) + [0]) }
        hasher.update(content)
        return IdempotencyKey(key: key, fingerprint: hasher.finish())
    }
}

extension HTTPResponse {
    static func json(_ bytes: [UInt8], status: Int = 200) -> HTTPResponse {
        HTTPResponse(
            status: status,
            headers: ["Content-Type": "application/json", "Cache-Control": "no-store"],
            body: .bytes(bytes))
    }

    /// Writes an answer's JSON, ended by a line break for those who read it in a terminal.
    static func json(
        status: Int = 200, _ body: (inout JSONWriter) throws -> Void
    ) rethrows -> HTTPResponse {
        .json(try JSONWriter.document(body), status: status)
    }

    static let empty = HTTPResponse(status: 204)
}

extension JSONWriter {
    /// One object and a line break.
    static func document(_ body: (inout JSONWriter) throws -> Void) rethrows -> [UInt8] {
        var writer = JSONWriter()
        try writer.object(body)
        writer.endLine()
        return writer.bytes
    }
}
