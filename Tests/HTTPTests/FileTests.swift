import BasketHTTP
import BasketSupport
import TestSupport
import Testing

@Suite("A file in an answer", .timeLimit(.minutes(60)))
struct FileTests {
    /// Without a descriptor, as in a simulation.
    private final class MemoryFile: File {
        let bytes: [UInt8]
        init(_ bytes: [UInt8]) { self.bytes = bytes }
        func read(at offset: Int64, count: Int) throws(FileError) -> [UInt8] {
            Array(bytes[Int(offset)...].prefix(count))
        }
        func write(_ bytes: borrowing [UInt8], at offset: Int64) throws(FileError) {}
        func synchronize() throws(FileError) {}
        func size() throws(FileError) -> Int64 { Int64(bytes.count) }
        var descriptor: Int32? { nil }
    }

    private static let content = someBytes(700_000, seed: 1)

    /// A file that has a name only until it is open.
    private static func file(_ bytes: [UInt8]) throws -> any File {
        let files = LinuxFileSystem()
        var random = SystemRandomNumberGenerator()
        let path = "/tmp/basket-http-test-\(random.next())"
        let file = try files.create(path)
        try files.remove(path)
        try file.write(bytes, at: 0)
        return file
    }

    private static func get(
        _ pieces: [HTTPPiece], tls: TLSIdentity? = nil
    ) async throws -> [WireAnswer] {
        try await withServer(
            answer: Answering { _ in HTTPResponse(status: 200, body: .pieces(pieces)) }
        ) {
            server in
            try await client {
                let client = try WireClient(port: server.port)
                return try (0..<3).map { number in
                    try client.send("\(number == 1 ? "HEAD" : "GET") / HTTP/1.1\r\nHost: h\r\n\r\n")
                    return try client.answer(toHead: number == 1)
                }
            }
        }
    }

    @Test(
        "goes out whole, or the part that was asked for",
        arguments: [(0, 700_000), (0, 1), (699_999, 1), (12_345, 400_000), (5, 0)])
    func region(offset: Int, length: Int) async throws {
        let file = try Self.file(Self.content)
        let answers = try await Self.get([.file(file, offset: Int64(offset), length: Int64(length))]
        )
        for answer in answers { #expect(answer.headers["Content-Length"] == String(length)) }
        #expect(answers[0].body == Array(Self.content[offset..<(offset + length)]))
        #expect(answers[1].body.isEmpty && answers[2].body == answers[0].body)
    }

    @Test("may be one of many pieces, in any order", arguments: UInt64(0)..<5)
    func pieces(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let files: [any File] = [try Self.file(Self.content), MemoryFile(Self.content)]
        var pieces: [HTTPPiece] = []
        var expected: [UInt8] = []
        for _ in 0..<30 {
            let offset = Int(random.next() % 690_000)
            let length = Int(random.next() % 10_000)
            let part = Array(Self.content[offset..<(offset + length)])
            expected += part
            switch random.next() % 3 {
            case 0: pieces.append(.bytes(part))
            case let kind:
                pieces.append(
                    .file(files[Int(kind) - 1], offset: Int64(offset), length: Int64(length)))
            }
        }
        let answers = try await Self.get(pieces)
        #expect(answers[0].body == expected && answers[2].body == expected)
    }

    @Test("that is shorter than it was said to be breaks the connection off", arguments: [1, 2, 3])
    func short(kind: Int) async throws {
        let file: any File = kind == 1 ? MemoryFile([1, 2, 3]) : try Self.file([1, 2, 3])
        let region = HTTPPiece.file(file, offset: 0, length: 1000)
        let pieces = kind == 3 ? [.bytes([0]), region] : [region]
        try await withServer(
            answer: Answering { _ in HTTPResponse(status: 200, body: .pieces(pieces)) }
        ) {
            server in
            try await client {
                let client = try WireClient(port: server.port)
                try client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
                #expect(try client.readToEnd().count < 1000)
            }
        }
    }
}
