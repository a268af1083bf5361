import BasketConnection
import Testing

@Suite("An event stream")
struct EventStreamParserTests {
    typealias Event = EventStreamParser.Event

    private static let example =
        "\u{FEFF}retry: 1500\n\n: comment\r\nid: a:1\r\nevent: change\r\ndata: {\"a\":\r\ndata:1}\r\n\r\n"
        + "data\rdata\r\rid\n\nevent: nothing\n\nunknown: x\ndata:  two\n\ndata: unfinished\n"
    private static let events = [
        Event(name: "change", data: "{\"a\":\n1}"), Event(name: "message", data: "\n"),
        Event(name: "message", data: " two"),
    ]

    @Test("is read alike in pieces of any size", arguments: [1, 2, 3, 7, 1000])
    func pieces(size: Int) throws {
        let bytes = Array(Self.example.utf8)
        var parser = EventStreamParser()
        var events: [Event] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            events += try parser.take(bytes[start..<min(start + size, bytes.count)])
        }
        #expect(events == Self.events)
        #expect(parser.retryMilliseconds == 1500)
        #expect(parser.lastID?.isEmpty == true)
    }

    @Test("keeps the identifier of what was told, and of nothing else")
    func identifiers() throws {
        var parser = EventStreamParser(lastID: "old")
        _ = try parser.take(Array("id: new\ndata: x\n".utf8))
        #expect(parser.lastID == "old")
        _ = try parser.take(Array("\nid: b\u{7}d\ndata: x\n\n".utf8))
        #expect(parser.lastID == "new")
        let long = String(repeating: "x", count: EventStreamParser.longestID + 1)
        _ = try parser.take(Array("id: \(long)\n\n".utf8))
        #expect(parser.lastID == "new")
    }

    @Test("must not have lines or events without end")
    func endless() throws {
        var parser = EventStreamParser()
        let line = [UInt8](repeating: 0x61, count: EventStreamParser.longestLine + 1)
        #expect(throws: EventStreamParser.Failure.lineTooLong) { try parser.take(line) }
        var other = EventStreamParser()
        let data = Array("data: \(String(repeating: "x", count: 60_000))\n".utf8)
        #expect(throws: EventStreamParser.Failure.dataTooLong) {
            for _ in 0..<20 { _ = try other.take(data) }
        }
    }
}
