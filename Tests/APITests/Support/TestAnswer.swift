import BasketHTTP
import BasketSupport

/// An answer with its whole body.
struct TestAnswer: Sendable {
    let status: Int
    let headers: HTTPHeaders
    let body: [UInt8]

    /// Without its parameters.
    var type: String {
        let type = headers["Content-Type"] ?? ""
        return type.split(separator: ";").first.map(String.init) ?? ""
    }

    var text: String { String(decoding: body, as: UTF8.self) }

    /// The body as JSON; `null` for what is none.
    var json: JSON { (try? JSON(body)) ?? .null }

    /// A member of the body.
    subscript(key: String) -> JSON { json[key] }

    /// The body of a stream of JSON, line by line.
    var lines: [JSON] {
        text.split(separator: "\n").map { (try? JSON(Array($0.utf8))) ?? .null }
    }

    /// The body of an answer that brings many contents: each with its head.
    var contents: [(head: JSON, bytes: [UInt8])] {
        var found: [(head: JSON, bytes: [UInt8])] = []
        var rest = body[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            let head = (try? JSON(Array(rest[..<end]))) ?? .null
            rest = rest[(end + 1)...]
            let bytes = rest.prefix(head["size"].int ?? 0)
            rest = rest.dropFirst(bytes.count)
            if head["problem"].isNull { rest = rest.dropFirst() }
            found.append((head, Array(bytes)))
        }
        return found
    }

    /// What went wrong, for programs; empty when nothing did.
    var code: String { status >= 400 ? json["code"].text : "" }

    /// The item that the answer is about.
    var item: JSON { json["item"] }

    /// The content version in the `ETag`.
    var version: String { (headers["ETag"] ?? "").filter { $0 != "\"" } }

    init(status: Int, headers: HTTPHeaders, body: [UInt8]) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    init(_ response: HTTPResponse) async throws {
        status = response.status
        headers = response.headers
        switch response.body {
        case .none: body = []
        case .bytes(let bytes): body = bytes
        case .pieces(let pieces): body = try pieces.flatMap { try $0.allBytes() }
        case .stream(let stream):
            let collector = Collector()
            try await stream.produce(HTTPStreamWriter { await collector.add($0) })
            body = await collector.bytes
        }
    }

    private actor Collector {
        private(set) var bytes: [UInt8] = []

        func add(_ more: [UInt8]) {
            bytes += more
        }
    }
}

extension HTTPPiece {
    fileprivate func allBytes() throws -> [UInt8] {
        switch self {
        case .bytes(let bytes): bytes
        case .file(let file, let offset, let length):
            try file.read(at: offset, count: Int(length))
        }
    }
}
