import BasketAPI
import BasketConnection
import BasketContent
import BasketDatabase
import BasketHTTP
import BasketModels
import BasketStore
import BasketSupport
import Foundation

// What nobody is told who may not know it.
extension ServerStorage {
    /// Whatever goes to a device is nobody else's.
    func look(at bytes: [UInt8], for device: String) {
        guard run.hasStrangers, device.hasPrefix("device") else { return }
        let isInWork = domainName(of: device) == Self.work
        // What those have written who work in another domain, and what they call it.
        let secrets =
            isInWork
            ? ["device3", "device4", "secret ", "SECRET "] : ["device0", "device1", "device2"]
        for secret in secrets where Self.holds(bytes, secret) {
            note(oddity: "\(device) was told of what is \(secret)'s")
        }
        do {
            try lookAtItems(bytes, for: device)
        } catch is IsOff {
            // What it says was said before.
        } catch {
            note(oddity: "nobody can say what \(device) was told: \(error)")
        }
    }

    private static func holds(_ bytes: [UInt8], _ word: String) -> Bool {
        Data(bytes).range(of: Data(word.utf8)) != nil
    }

    /// All items that it is told of are of its own domain.
    private func lookAtItems(_ bytes: [UInt8], for device: String) throws {
        let data = Data(bytes)
        for mark in ["\"id\":\"", "\"parent\":\""].map({ Data($0.utf8) }) {
            var start = data.startIndex
            while let found = data.range(of: mark, in: start..<data.endIndex) {
                start = found.upperBound
                let word = data[start...].prefix { $0 != UInt8(ascii: "\"") }
                guard word.count < 14, let id = ItemID(String(decoding: word, as: UTF8.self))
                else { continue }
                try lookAtItem(id, for: device)
            }
        }
    }

    private func lookAtItem(_ id: ItemID, for device: String) throws {
        let name = domainName(of: device)
        let owner = name == Self.own ? "bea" : "ann"
        let isForeign = try requireServer().store.read { db in
            let home: String? = try db.value(
                """
                SELECT member.name FROM item JOIN domain ON domain.id = item.domain
                JOIN account ON account.id = domain.owner AND account.name <> ?2
                JOIN member ON member.domain = domain.id AND member.account = domain.owner
                WHERE item.id = ?1
                """, id, owner)
            return home != nil
        }
        if isForeign { note(oddity: "\(device) was told of \(id), which is not in \(name)") }
    }

    // MARK: At the end

    /// Somebody whom nobody has let in sees nothing, and gets nothing for a hash.
    func lookAsStranger() async throws -> [String] {
        var problems: [String] = []
        let server = try requireServer()
        let cyd = try identity(of: "cyd")
        let connection = ServerConnection(
            transport: ServiceTransport(self, network: nil, device: "stranger"),
            credentials: .token(try await token(of: "cyd")), world: executor.world())
        let domains = try await connection.domains()
        if !domains.isEmpty { problems.append("a stranger sees \(domains.map(\.name))") }
        try await server.store.write(as: cyd) {
            _ = try $0.createDomain("Mine", caseRule: .posix, hasTrash: true, quota: nil)
        }
        let ids = try await self.connection(for: "device1").domains().map(\.id)
        for id in [Self.work, Self.own] + ids
        where (try? await connection.changes(in: id, since: nil)) != nil {
            problems.append("a stranger is told what is in \(id)")
        }
        let hashes: [[UInt8]] = try server.store.read { db in
            try db.all("SELECT hash FROM chunk LIMIT 100") { row throws(SQLiteError) in try row[0] }
        }
        let wanted = Set(hashes.compactMap { ContentHash(bytes: $0) })
        let missing = try await connection.missingChunks(Array(wanted), in: "Mine")
        if Set(missing) != wanted { problems.append("a stranger learns what others have") }
        return problems
    }

    /// What is somebody else's and what is not there at all get the same answer, whatever is asked. Nothing is counted in
    /// that is not one's own.
    func secretsTold() async throws -> [String] {
        guard run.hasStrangers, isUp else { return [] }
        var problems: [String] = []
        let ids = try requireServer().store.read { db in
            [
                Self.work: try db.domain(Self.work, for: identity(of: "ann")),
                Self.own: try db.domain(Self.own, for: identity(of: "bea")),
            ]
        }
        for (account, domain) in [("cyd", Self.work), ("cyd", Self.own), ("ann", Self.own)] {
            guard let there = ids[domain] else { continue }
            let item = try newestItem(of: there)
            for name in [domain, "\(Version(rawValue: there.id))"] {
                problems += try await differences(
                    account, (name, item), ("Nowhere", Self.noItem))
            }
        }
        // Whoever has a part in two of them finds in each only what is there.
        for (here, there) in [(Self.work, Self.own), (Self.own, Self.work)] {
            guard let domain = ids[there] else { continue }
            let item = try newestItem(of: domain)
            problems += try await differences("bea", (here, item), (here, Self.noItem))
        }
        return try await problems + countsTold()
    }

    private static let noItem = ItemID(rawValue: .max)

    private func newestItem(of domain: Domain) throws -> ItemID {
        try requireServer().store.read { db in
            try db.value(
                "SELECT max(id) FROM item WHERE domain = ? AND parent IS NOT NULL", domain.id)
        } ?? Self.noItem
    }

    private typealias Place = (domain: String, item: ItemID)

    private func differences(
        _ account: String, _ secret: Place, _ nothing: Place
    ) async throws -> [String] {
        let token = try await token(of: account)
        var problems: [String] = []
        for endpoint in Service.endpoints(withFaults: false) {
            let pattern = endpoint.pattern.description
            let isOfDomain = secret.domain != nothing.domain
            guard pattern.contains(isOfDomain ? "{domain}" : "{item}") else { continue }
            let first = try await answer(endpoint.method, pattern, secret, token)
            let second = try await answer(endpoint.method, pattern, nothing, token)
            if first != second || (200..<300).contains(first.status) {
                problems.append(
                    """
                    \(endpoint.method.rawValue) \(pattern) of \(secret.domain) tells \(account) \
                    \(first), and of what is not there \(second)
                    """)
            }
        }
        return problems
    }

    /// What is asked for is called the same in all answers.
    private func answer(
        _ method: HTTPMethod, _ pattern: String, _ place: Place, _ token: String
    ) async throws -> (status: Int, words: String) {
        let holders = [
            "domain": place.domain, "item": "\(place.item)", "version": "\(place.item)",
            "hash": String(repeating: "0", count: 64), "account": "cyd", "path...": "a",
        ]
        var path = pattern
        for (name, word) in holders.sorted(by: { $0.key < $1.key }) {
            path = path.replacing("{\(name)}", with: word)
        }
        if path.hasSuffix("/search") { path += "?q=a" }
        var headers = HTTPHeaders()
        headers.append("Authorization", "Bearer \(token)")
        headers.append("If-Match", "\"\(place.item)\"")
        let target = try RequestTarget(Array(path.utf8)[...])
        let response = try await requireServer().service.respond(
            to: HTTPRequest(
                method, target.rawPath, path: target.path, query: target.query, headers: headers,
                body: HTTPRequestBody(announcedLength: 0) { nil }, id: "asked",
                clientAddress: "127.0.0.1"))
        guard case .bytes(let bytes) = response.body else { return (response.status, "") }
        let words = String(decoding: bytes, as: UTF8.self)
            .replacing("\(place.item)", with: "it").replacing(place.domain, with: "there")
        return (response.status, words)
    }

    private func countsTold() async throws -> [String] {
        let connection = ServerConnection(
            transport: ServiceTransport(self, network: nil, device: "stranger"),
            credentials: .token(try await token(of: "cyd")), world: executor.world())
        let (account, domains) = try await (connection.account("cyd"), connection.domains())
        let counts = domains.flatMap { [$0.items, $0.used, $0.history] } + [account.used]
        return counts.allSatisfy { $0 == 0 } ? [] : ["a stranger has nothing, and counts \(counts)"]
    }

    private func token(of account: String) async throws -> String {
        try await requireServer().service.authenticator.openSession(
            for: try identity(of: account), device: "stranger", lifetime: nil,
            address: "127.0.0.1"
        ).token
    }
}
