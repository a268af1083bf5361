import BasketContent
import BasketSupport
import TestSupport

/// Writes files of its own until the server dies, and knows what was acknowledged.
struct CrashWriter: Sendable {
    static let domain = "/v1/domains/Work"

    let number: Int
    var random: SeededGenerator
    /// Contents are cut out of this: making megabytes of randomness each time takes too long.
    private let noise: [UInt8]
    /// The folders that it uses, by their identifiers; the root's name is empty.
    let folders: [String: String]
    var guest: CrashGuest
    var upload: CrashUpload?
    var count = 0
    /// What was acknowledged, by the files' keys.
    var files: [String: CrashFile] = [:]
    /// The one request that had no answer.
    private(set) var unanswered: CrashRequest?
    /// How many requests of each kind were acknowledged.
    private(set) var acknowledged: [String: Int] = [:]
    /// What should not have been answered.
    private(set) var trouble: [String] = []

    init(number: Int, seed: UInt64, folders: [String: String], guest: CrashGuest) {
        self.number = number
        self.folders = folders
        self.guest = guest
        random = SeededGenerator(seed: seed &* 31 &+ UInt64(number))
        noise = random.bytes(128 << 10)
    }

    /// Works until the server dies.
    mutating func work(_ port: UInt16, tokens: [String]) {
        let callers = tokens.map { Caller(port: port, token: $0) }
        while trouble.isEmpty {
            do {
                try step(callers, port)
            } catch {
                return  // The server is gone.
            }
        }
    }

    // MARK: Requests

    /// - Parameter kind: the function that asks, such as `rename(_:)`.
    mutating func send(
        _ request: CrashRequest, _ callers: [Caller], kind: String = #function
    ) throws {
        var request = request
        request.headers["Idempotency-Key"] = "\(number)-\(random.next())"
        unanswered = request
        let answer = try call(request, callers)
        guard answer.status < 300 else {
            unanswered = nil
            if answer.code == "chunks_missing", request.isLate { return }
            return complain("\(request.method) \(request.path)", answer)
        }
        acknowledged[String(kind.prefix { $0 != "(" }), default: 0] += 1
        unanswered = nil
        take(request, answer)
    }

    mutating func complain(_ text: String, _ answer: WireAnswer) {
        trouble.append("\(text): \(answer.status) \(answer.text.prefix(500))")
    }

    private func call(_ request: CrashRequest, _ callers: [Caller]) throws -> WireAnswer {
        try callers[request.isByOther ? 1 : 0].call(
            request.method, request.path, body: request.body, headers: request.headers)
    }

    /// What was asked for is done.
    private mutating func take(_ request: CrashRequest, _ answer: WireAnswer?) {
        apply(request)
        guard let answer, !answer.body.isEmpty else { return }
        let json = answer.json
        for item in [json["item"]] + json["results"].array.map({ $0["body"]["item"] }) {
            guard let name = item["name"].string else { continue }
            files[CrashFile.key(of: name)]?.learn(item)
        }
        if let kept = request.kept, let version = json["conflict"].string {
            files[kept.key]?.earlier[kept.hash] = version
        }
    }

    private mutating func apply(_ request: CrashRequest) {
        for (key, look) in request.looks {
            var file = files[key] ?? CrashFile(look)
            if file.look.hash != look.hash {
                (file.version, file.isVerified) = (nil, false)
            }
            file.look = look
            files[key] = file
        }
        if let gone = request.gone { files[gone] = nil }
    }

    // MARK: After a crash

    /// Takes what the tree shows as the truth, if it may be. What had no answer is asked for again,
    /// now and then: it must be done once, whether it had been done before or not.
    mutating func settle(with tree: [String: JSON], _ callers: [Caller]) throws {
        guard trouble.isEmpty else { throw Failure(trouble.joined(separator: "\n")) }
        if let request = unanswered {
            unanswered = nil
            let before = files
            if pick(2) == 0 {
                let answer = try call(request, callers)
                guard answer.status < 300 else {
                    throw Failure(
                        "\(request.method) \(request.path) again: \(answer.status) \(answer.text)")
                }
                take(request, answer)
                return  // The next look at the tree tells whether it was done.
            }
            if difference(from: tree) != nil { apply(request) }
            if let other = difference(from: tree) {
                files = before
                throw Failure(
                    """
                    neither before nor after \(request.method) \(request.path): \
                    \(other), and \(difference(from: tree) ?? "")
                    """)
            }
        } else if let difference = difference(from: tree) {
            throw Failure(difference)
        }
        learn(tree)
    }

    /// The tree is exactly what was acknowledged.
    mutating func verify(_ tree: [String: JSON]) throws {
        if let difference = difference(from: tree) { throw Failure(difference) }
        learn(tree)
    }

    private mutating func learn(_ tree: [String: JSON]) {
        for key in files.keys {
            if let item = tree[key] { files[key]?.learn(item) }
        }
    }

    /// - Parameter tree: the files by their keys, also those of others.
    private func difference(from tree: [String: JSON]) -> String? {
        for (key, file) in files {
            guard let item = tree[key] else { return "\(file.look) is gone" }
            guard CrashFile.Look(item) == file.look else {
                return "\(item.text) instead of \(file.look)"
            }
        }
        let prefix = "writer\(number)-"
        let stranger = tree.keys.first { $0.hasPrefix(prefix) && files[$0] == nil }
        return stranger.map { "\($0) was deleted, or never made" }
    }

    /// Reads the files that were written since the last time, and one file's earlier contents.
    mutating func verifyContents(_ caller: Caller, all: Bool) throws {
        for (key, file) in files where all || !file.isVerified {
            try verify(file.look.hash, of: file, version: nil, caller)
            files[key]?.isVerified = true
        }
        try upload?.verify(caller)
        guard let file = files.values.randomElement(using: &random), let id = file.id else {
            return
        }
        let answer = try caller.get("\(Self.domain)/items/\(id)/versions")
        let there = Set(
            try caller.expect(200, answer)["versions"].array.compactMap { $0["sha256"].string })
        for (hash, version) in file.earlier {
            guard there.contains(hash) else {
                throw Failure("an earlier content of \(file.look) is lost: \(hash)")
            }
            try verify(hash, of: file, version: version, caller)
        }
    }

    private func verify(
        _ hash: String, of file: CrashFile, version: String?, _ caller: Caller
    ) throws {
        guard let id = file.id else { throw Failure("\(file.look) has no identifier") }
        let query = version.map { "?version=\($0)" } ?? ""
        let answer = try caller.get("\(Self.domain)/items/\(id)/content\(query)")
        guard answer.status == 200, ContentHash(of: answer.body).hex == hash else {
            throw Failure("\(file.look) \(query) has other bytes: \(answer.status)")
        }
    }

    // MARK: Chance

    mutating func pick(_ count: Int) -> Int {
        Int(random.next() % UInt64(count))
    }

    /// Most files are small, some are large.
    mutating func makeContent() -> [UInt8] {
        switch pick(5) {
        case 0: makeBytes((200 << 10) + pick(2 << 20))
        case 1: makeBytes(1 + pick(200))
        default: makeBytes(1 + pick(60 << 10))
        }
    }

    mutating func makeBytes(_ count: Int) -> [UInt8] {
        var bytes = random.bytes(min(count, 16))
        bytes.reserveCapacity(count)
        while bytes.count < count {
            let start = pick(noise.count / 2)
            bytes += noise[start..<min(noise.count, start + count - bytes.count)]
        }
        return bytes
    }
}
