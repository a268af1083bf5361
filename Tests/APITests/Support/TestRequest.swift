import BasketSupport

@testable import BasketHTTP

/// A request as a test writes it.
struct TestRequest: Sendable {
    let method: HTTPMethod
    let target: RequestTarget
    var headers: [(name: String, value: String)] = []
    var body: [UInt8]?
    /// Whether the sender says how long the body is.
    var announcesLength = true
    var address = "127.0.0.1"
    /// Called when the body is asked for.
    var whenRead: @Sendable () -> Void = {}

    init(_ method: HTTPMethod, _ target: String) throws {
        self.method = method
        self.target = try RequestTarget(Array(target.utf8)[...])
    }

    var path: String { target.rawPath }
    var query: [(name: String, value: String)] { target.query }

    var type: String {
        let type = headers.first { $0.name.lowercased() == "content-type" }?.value ?? ""
        return type.split(separator: ";").first.map(String.init) ?? ""
    }

    /// The body, where it says that it is JSON, and is.
    var json: JSON? {
        guard type.hasSuffix("json"), let body else { return nil }
        return try? JSON(body)  // A test sends what is no JSON on purpose.
    }

    /// As the API sees it: its body comes in pieces.
    func request(id: String) -> HTTPRequest {
        var fields = HTTPHeaders()
        for (name, value) in headers { fields.append(name, value) }
        return HTTPRequest(
            method, target.rawPath, path: target.path, query: target.query, headers: fields,
            body: .pieces(of: body ?? [], announced: announcesLength, whenRead), id: id,
            clientAddress: address)
    }
}

extension HTTPRequestBody {
    static func pieces(
        of bytes: [UInt8], announced: Bool, _ whenRead: @escaping @Sendable () -> Void = {}
    ) -> HTTPRequestBody {
        let source = PieceSource(bytes)
        return HTTPRequestBody(announcedLength: announced ? Int64(bytes.count) : nil) {
            whenRead()
            return await source.next()
        }
    }
}

/// Hands bytes out as a connection would, some at a time.
private actor PieceSource {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) {
        rest = bytes[...]
    }

    func next() -> [UInt8]? {
        guard !rest.isEmpty else { return nil }
        defer { rest = rest.dropFirst(40_000) }
        return Array(rest.prefix(40_000))
    }
}
