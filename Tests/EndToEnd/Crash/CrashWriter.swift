import BasketContent
import BasketSupport

/// Writes files of its own until the server dies, and knows what was acknowledged.
struct CrashWriter: Sendable {
    /// What was asked for; sent again after a crash, it must do nothing twice.
    struct Request: Sendable {
        var method: String
        var path: String
        var headers: [String: String]
        var body: [UInt8]
        var after: FileFate.State
    }

    static let domain = "/v1/domains/Work"
    /// More files than this, and one goes.
    private static let mostFiles = 10

    let number: Int
    private var random: SeededGenerator
    /// Contents are cut out of this: making megabytes of randomness each time takes too long.
    private let noise: [UInt8]
    private var count = 0
    private(set) var files: [FileFate] = []
    /// Chunks whose upload was acknowledged.
    private(set) var chunks: [ContentHash] = []
    /// How many requests were acknowledged.
    private(set) var acknowledged = 0
    /// What should not have been answered.
    private(set) var trouble: [String] = []

    init(number: Int, seed: UInt64) {
        self.number = number
        random = SeededGenerator(seed: seed &* 31 &+ UInt64(number))
        noise = random.bytes(128 << 10)
    }

    /// Works until the server dies.
    mutating func work(port: UInt16, token: String) {
        let caller = Caller(port: port, token: token)
        chunks = []
        while trouble.isEmpty {
            do {
                if pick(8) == 0 { try sendChunks(caller) } else { try change(caller) }
            } catch {
                return  // The server is gone.
            }
        }
    }

    /// Takes what the tree shows as the truth, if it may be; the names of what is there.
    mutating func settle(with tree: [String: String], _ caller: Caller) throws -> [String] {
        for index in files.indices {
            guard let state = files[index].state(in: tree) else {
                let states = files[index].states
                    .map { "\($0.name ?? "gone") \($0.hash?.hex.prefix(8) ?? "")" }
                throw Failure("none of \(states) is there")
            }
            files[index].states = [state]
        }
        let names = files.compactMap { $0.states[0].name }
        for index in files.indices {
            if let request = files[index].unanswered, pick(2) == 0 {
                try repeated(request, index, caller)
            }
            files[index].unanswered = nil
        }
        files.removeAll { $0.states[0].name == nil }
        return names
    }

    // MARK: What it does

    private mutating func pick(_ count: Int) -> Int {
        Int(random.next() % UInt64(count))
    }

    private mutating func change(_ caller: Caller) throws {
        let choice = files.count >= Self.mostFiles ? 9 : pick(10)
        if choice < 4 || files.isEmpty {
            try put(newName(), nil, caller)
            return
        }
        let index = pick(files.count)
        guard let name = files[index].states[0].name else { return }
        switch choice {
        case 4...6: try put(name, index, caller)
        case 7...8:
            let found = try caller.get("\(Self.domain)/files/\(name)", ["Range": "bytes=0-0"])
            guard let id = try identifier(of: name, caller), found.status < 300 else {
                trouble.append("\(name) was acknowledged and is not there: \(found.status)")
                return
            }
            let target = newName()
            let json: JSON = ["name": .string(target)]
            try send(
                Request(
                    method: "PATCH", path: "\(Self.domain)/items/\(id)",
                    headers: ["Content-Type": "application/json"], body: Array(json.text.utf8),
                    after: FileFate.State(name: target, hash: files[index].states[0].hash)),
                index, caller)
        default:
            try send(
                Request(
                    method: "DELETE", path: "\(Self.domain)/files/\(name)", headers: [:], body: [],
                    after: FileFate.State()), index, caller)
            files.remove(at: index)
        }
    }

    private func identifier(of name: String, _ caller: Caller) throws -> String? {
        let answer = try caller.get("\(Self.domain)/items/root/children?limit=1000")
        return answer.json["items"].array.first { $0["name"].string == name }?["id"].string
    }

    /// A new content, under a new name or instead of an old one.
    private mutating func put(_ name: String, _ index: Int?, _ caller: Caller) throws {
        let content = makeContent()
        let request = Request(
            method: "PUT", path: "\(Self.domain)/files/\(name)", headers: [:], body: content,
            after: FileFate.State(name: name, hash: ContentHash(of: content)))
        if index == nil { files.append(FileFate(states: [FileFate.State()])) }
        try send(request, index ?? files.count - 1, caller)
    }

    private mutating func send(_ request: Request, _ index: Int, _ caller: Caller) throws {
        var request = request
        request.headers["Idempotency-Key"] = "\(number)-\(random.next())"
        files[index].states.append(request.after)
        files[index].unanswered = request
        let answer = try caller.call(
            request.method, request.path, body: request.body, headers: request.headers)
        guard answer.status < 300 else {
            // A stopping server may say so; then nothing was done.
            trouble.append("\(request.method) was answered \(answer.status) \(answer.text)")
            return
        }
        acknowledged += 1
        files[index].states.removeFirst()
        files[index].unanswered = nil
    }

    /// The same request after the crash: done once, whether it had been done before or not.
    private mutating func repeated(
        _ request: Request, _ index: Int, _ caller: Caller
    ) throws {
        let answer = try caller.call(
            request.method, request.path, body: request.body, headers: request.headers)
        guard answer.status < 300 else {
            throw Failure("\(request.method) again: \(answer.status) \(answer.text)")
        }
        files[index].states = [request.after]
    }

    /// Chunks of a file that is put together at the end, or never.
    private mutating func sendChunks(_ caller: Caller) throws {
        var pieces: [[UInt8]] = []
        for _ in 0...pick(3) {
            let chunk = makeBytes(256 << 10)
            let hash = ContentHash(of: chunk)
            let answer = try caller.put("\(Self.domain)/chunks/\(hash.hex)", chunk)
            guard answer.status < 300 else {
                trouble.append("a chunk was answered \(answer.status) \(answer.text)")
                return
            }
            chunks.append(hash)
            pieces.append(chunk)
        }
        let whole = pieces.flatMap { $0 }
        let name = newName()
        let json: JSON = [
            "name": .string(name), "kind": "file",
            "manifest": [
                "size": .number(Double(whole.count)), "hash": .string(ContentHash(of: whole).hex),
                "chunks": .array(
                    pieces.map {
                        [
                            "length": .number(Double($0.count)),
                            "hash": .string(ContentHash(of: $0).hex),
                        ]
                    }),
            ],
        ]
        files.append(FileFate(states: [FileFate.State()]))
        try send(
            Request(
                method: "POST", path: "\(Self.domain)/items",
                headers: ["Content-Type": "application/json"], body: Array(json.text.utf8),
                after: FileFate.State(name: name, hash: ContentHash(of: whole))),
            files.count - 1, caller)
    }

    private mutating func newName() -> String {
        count += 1
        return "writer\(number)-\(count)"
    }

    /// Most files are small, some are large.
    private mutating func makeContent() -> [UInt8] {
        switch pick(4) {
        case 0: makeBytes((200 << 10) + pick(5 << 20 - 200 << 10))
        case 1: makeBytes(pick(200))
        default: makeBytes(pick(60 << 10))
        }
    }

    private mutating func makeBytes(_ count: Int) -> [UInt8] {
        var bytes = random.bytes(min(count, 16))
        bytes.reserveCapacity(count)
        while bytes.count < count {
            let start = pick(noise.count / 2)
            bytes += noise[start..<min(noise.count, start + count - bytes.count)]
        }
        return bytes
    }
}
