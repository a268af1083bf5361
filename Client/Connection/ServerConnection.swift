import BasketContent
import BasketModels
import BasketSupport
import FoundationEssentials

/// A server's API as typed calls. What can be repeated is, within the retry policy; what is thrown is
/// for the caller to decide about.
///
/// It keeps no state between calls, and any number of them may be under way.
package final class ServerConnection: Sendable {
    /// Whom the server takes the caller for.
    package enum Credentials: Sendable {
        case nobody
        case token(String)
        case password(account: String, String)
    }

    /// Longer answers are refused, before they fill the memory.
    static let longestAnswer = 64 << 20
    /// What is read of an answer that only says what went wrong.
    private static let longestProblem = 1 << 20

    let transport: any Transport
    let world: World
    let retries: RetryPolicy
    package let known: KnownServer
    private let timeouts: TransportTimeouts
    private let credentials: Credentials
    /// Whether answers may travel compressed: worth it but on the same machine.
    private let compresses: Bool
    /// Whether somebody waits for what is asked.
    private let isAwaited: Bool

    package init(
        transport: any Transport, credentials: Credentials, world: World,
        retries: RetryPolicy = RetryPolicy(), timeouts: TransportTimeouts = TransportTimeouts(),
        compresses: Bool = false, isAwaited: Bool = true, known: KnownServer = KnownServer()
    ) {
        self.known = known
        self.transport = transport
        self.credentials = credentials
        self.world = world
        self.retries = retries
        self.timeouts = timeouts
        self.compresses = compresses
        self.isAwaited = isAwaited
    }

    /// The same server for somebody else.
    package func with(_ credentials: Credentials) -> ServerConnection {
        ServerConnection(
            transport: transport, credentials: credentials, world: world, retries: retries,
            timeouts: timeouts, compresses: compresses, isAwaited: isAwaited,
            known: known)
    }

    /// The same server for what nobody waits for: it does not stand in the way of what somebody does.
    package var unhurried: ServerConnection {
        ServerConnection(
            transport: transport, credentials: credentials, world: world, retries: retries,
            timeouts: timeouts, compresses: compresses, isAwaited: false,
            known: known)
    }

    // MARK: Answers that are read as a whole

    /// The answer's body as a value.
    func value<Answer: Decodable>(_ call: APICall) async throws(ConnectionError) -> Answer {
        try await value(Answer.self, call)
    }

    func value<Answer: Decodable>(
        _ type: Answer.Type, _ call: APICall
    ) async throws(ConnectionError) -> Answer {
        let (head, body) = try await answer(to: call)
        guard head.mediaType == "application/json" else {
            throw .badAnswer("the answer is no JSON but \(head.mediaType ?? "untyped")")
        }
        return try AnswerReader.read(type, body)
    }

    /// How many entries of a list the server gives at once.
    private static let listPart = 1000
    /// A list that is longer has no end.
    private static let longestList = 1_000_000

    /// A list, with all of its parts.
    func list<Answer: ListAnswer>(
        _ type: Answer.Type, _ path: [String]
    ) async throws(ConnectionError) -> [Answer.Entry] {
        var entries: [Answer.Entry] = []
        var cursor: String?
        repeat {
            let part = try await value(
                type,
                APICall("GET", path, query: [("limit", "\(Self.listPart)"), ("cursor", cursor)]))
            entries += part.entries
            guard part.next == nil || part.next != cursor, entries.count <= Self.longestList else {
                throw .badAnswer("a list has no end")
            }
            cursor = part.next
        } while cursor != nil
        return entries
    }

    /// For answers that say no more than that it is done.
    func done(_ call: APICall) async throws(ConnectionError) {
        _ = try await answer(to: call)
    }

    func answer(
        to call: APICall, accepting status: Int? = nil, upTo limit: Int = longestAnswer
    ) async throws(ConnectionError) -> (head: TransportResponse, body: [UInt8]) {
        let call = keyed(call)
        return try await retrying(call) { () async throws -> (TransportResponse, [UInt8]) in
            var body: [UInt8] = []
            let head = try await self.exchange(call, accepting: status) { _, bytes in
                guard body.count + bytes.count <= limit else {
                    throw ConnectionError.badAnswer("the answer is longer than \(limit) bytes")
                }
                body += bytes
            }
            return (head, body)
        }
    }

    // MARK: One exchange

    /// Sends a call once. Its consumer sees the bodies of answers that say yes; what says no is thrown.
    func exchange(
        _ call: APICall, accepting status: Int? = nil,
        consumer: (TransportResponse, [UInt8]) async throws -> Void
    ) async throws(ConnectionError) -> TransportResponse {
        var refusal: [UInt8] = []
        let head: TransportResponse
        do {
            head = try await transport.send(request(call)) { head, bytes in
                try self.requireKnown(head, call)
                if Self.isWelcome(head, status) { return try await consumer(head, bytes) }
                guard refusal.count + bytes.count <= Self.longestProblem else {
                    throw ConnectionError.badAnswer("an answer with \(head.status) has no end")
                }
                refusal += bytes
            }
        } catch {
            throw ConnectionError(error)
        }
        try requireKnown(head, call)
        guard Self.isWelcome(head, status) else {
            // What another server refuses says nothing of this one, also of its stream.
            try known.check(head)
            throw AnswerReader.refusal(head, refusal)
        }
        return head
    }

    private func requireKnown(_ head: TransportResponse, _ call: APICall) throws(ConnectionError) {
        // Events say only that it is worth asking; those who do not know the server share them with those who do.
        if !call.isStream { try known.check(head) }
    }

    private static func isWelcome(_ head: TransportResponse, _ status: Int?) -> Bool {
        (200..<300).contains(head.status) || head.status == status
    }

    func keyed(_ call: APICall) -> APICall {
        // Reading needs no key, and logging in has none.
        guard call.isRepeatable, call.isKeyed, call.method != "GET" else { return call }
        let key = Base64.encode(world.randomBytes(16), .url)
        return call.with("Idempotency-Key", key)
    }

    private func request(_ call: APICall) -> TransportRequest {
        var headers = call.headers
        switch credentials {
        case .nobody: break
        case .token(let token): headers.append(("Authorization", "Bearer \(token)"))
        case .password(let account, let password):
            let text = Base64.encode(Array("\(account):\(password)".utf8), .standard)
            headers.append(("Authorization", "Basic \(text)"))
        }
        var request = TransportRequest(
            call.method, call.target, headers: headers, body: call.body,
            timeouts: call.timeouts ?? timeouts)
        request.asksBeforeSending = call.asksBeforeSending
        request.isStream = call.isStream
        request.isLong = call.isLong
        request.isAwaited = isAwaited
        request.takesCompressed = compresses && call.takesCompressed
        request.progress = call.progress
        return request
    }
}
