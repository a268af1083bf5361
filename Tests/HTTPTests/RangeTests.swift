import BasketHTTP
import BasketSupport
import Testing

@Suite("A range")
struct RangeTests {
    private static func part(_ offset: Int64, _ length: Int64) -> HTTPByteRange {
        HTTPByteRange(offset: offset, length: length)
    }

    @Test(
        "is found in a content of 1000 bytes",
        arguments: [
            ("bytes=0-99", .parts([part(0, 100)])),
            ("bytes=0-0", .parts([part(0, 1)])),
            ("bytes=999-", .parts([part(999, 1)])),
            ("bytes=500-5000", .parts([part(500, 500)])),
            ("bytes=-1", .parts([part(999, 1)])),
            ("bytes=-5000", .parts([part(0, 1000)])),
            ("Bytes= 0-1 ,\t5-6", .parts([part(0, 2), part(5, 2)])),
            ("bytes=500-599,0-99", .parts([part(500, 100), part(0, 100)])),
            ("bytes=0-99,50-149", .parts([part(0, 150)])),
            ("bytes=0-99,100-149", .parts([part(0, 150)])),
            ("bytes=900-,0-9,950-990,5-20", .parts([part(900, 100), part(0, 21)])),
            ("bytes=0-1,5000-6000", .parts([part(0, 2)])),
            ("bytes=0-99999999999999999999999", .parts([part(0, 1000)])),
            ("bytes=1000-", .unsatisfiable),
            ("bytes=99999999999999999999999-", .unsatisfiable),
            ("bytes=-0", .unsatisfiable),
            ("bytes=5000-6000,-0", .unsatisfiable),
            ("bytes=5-4", .whole), ("bytes=", .whole), ("bytes=-", .whole), ("bytes=a-b", .whole),
            ("bytes=1", .whole), ("bytes=1-2-3", .whole), ("bytes=+1-2", .whole),
            ("bytes=0-1;2-3", .whole), ("items=0-1", .whole), ("bytes 0-1", .whole), ("", .whole),
            ("bytes=0-1,x", .whole), ("bytes=,", .whole), ("bytes=１-２", .whole),
        ] as [(String, HTTPRangeRequest)])
    func found(text: String, request: HTTPRangeRequest) {
        #expect(HTTPRangeRequest(text, size: 1000) == request)
    }

    @Test("is nowhere in an empty content")
    func empty() {
        #expect(HTTPRangeRequest("bytes=0-", size: 0) == .unsatisfiable)
        #expect(HTTPRangeRequest("bytes=-5", size: 0) == .unsatisfiable)
    }

    @Test("of too many is answered with the whole content")
    func tooMany() {
        let ranges = (0..<1000).map { "\($0 * 10)-\($0 * 10)" }
        #expect(HTTPRangeRequest("bytes=" + ranges.joined(separator: ","), size: 100_000) == .whole)
        let few = ranges.prefix(HTTPRangeRequest.mostParts).joined(separator: ",")
        guard case .parts(let parts) = HTTPRangeRequest("bytes=" + few, size: 100_000) else {
            Issue.record("no parts")
            return
        }
        #expect(parts.count == HTTPRangeRequest.mostParts)
    }

    @Test(
        "counts only for who has the rest of the same content",
        arguments: [
            ("\"3\"", true), ("\"2\"", false), ("W/\"3\"", false), ("3", false),
            ("Sat, 21 Nov 2026 09:30:00 GMT", false), ("yesterday", false),
            ("\"3\", \"4\"", false),
        ])
    func ifRange(condition: String, counts: Bool) {
        let request = HTTPRangeRequest(
            ["Range": "bytes=0-1", "If-Range": condition], size: 1000, etag: HTTPETag("3"))
        #expect(request == (counts ? .parts([Self.part(0, 2)]) : .whole))
    }

    @Test("never leaves its content, overlaps another, or is lost", arguments: UInt64(0)..<100)
    func properties(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let size = Int64(random.next() % 100)
        let asked: [ClosedRange<Int64>] = (0..<1 + random.next() % 10).map { _ in
            let first = Int64(random.next() % 120)
            return first...(first + Int64(random.next() % 30))
        }
        let text =
            "bytes=" + asked.map { "\($0.lowerBound)-\($0.upperBound)" }.joined(separator: ",")
        let wanted = Set(asked.flatMap(Array.init)).filter { $0 < size }
        switch HTTPRangeRequest(text, size: size) {
        case .parts(let parts):
            let got = parts.flatMap { Array($0.offset..<$0.end) }
            #expect(got.count == Set(got).count && Set(got) == wanted)
        case .unsatisfiable: #expect(wanted.isEmpty)
        case .whole: Issue.record("no parts for \(text)")
        }
    }

    @Test("of several goes out as the parts of one message")
    func multipart() throws {
        let ranges = [Self.part(0, 2), Self.part(8, 1)]
        let message = MultipartByteRanges(ranges, size: 10, type: "text/plain", boundary: "XX") {
            range in
            [.bytes(Array("0123456789".utf8)[Int(range.offset)..<Int(range.end)].map { $0 })]
        }
        let body = message.pieces.flatMap { piece in
            if case .bytes(let bytes) = piece { bytes } else { [UInt8]() }
        }
        #expect(message.contentType == "multipart/byteranges; boundary=XX")
        #expect(
            String(decoding: body, as: UTF8.self) == """
                \r\n--XX\r\nContent-Type: text/plain\r\nContent-Range: bytes 0-1/10\r\n\r\n01\
                \r\n--XX\r\nContent-Type: text/plain\r\nContent-Range: bytes 8-8/10\r\n\r\n8\
                \r\n--XX--\r\n
                """)
    }
}
