import BasketHTTP
import Testing

@Suite("Reading a content")
struct ContentReadingTests {
    @Test("gives the bytes, and says what they are", arguments: ContentSize.allCases)
    func whole(size: ContentSize) async throws {
        let server = try await TestServer()
        let file = try await server.file("picture.jpg", bytes: size.bytes)

        let answer = try await server.get(TestServer.path(file) + "/content")

        #expect(answer.status == 200)
        #expect(answer.body == size.bytes)
        #expect(answer.headers["ETag"] == "\"\(file["contentVersion"].text)\"")
        #expect(answer.headers["Content-Type"] == "image/jpeg")
        #expect(answer.headers["Accept-Ranges"] == "bytes")
        #expect(answer.headers["Repr-Digest"]?.hasPrefix("sha-256=:") == true)
        #expect(answer.headers["Last-Modified"] == "Sat, 21 Nov 2026 09:30:00 GMT")
        #expect(answer.headers["X-Content-Type-Options"] == "nosniff")
        #expect(answer.headers["Content-Security-Policy"] == "sandbox")
    }

    @Test("with HEAD says the same", arguments: ContentSize.allCases)
    func head(size: ContentSize) async throws {
        let server = try await TestServer()
        let file = try await server.file("a.bin", bytes: size.bytes)

        let head = try await server.head(
            TestServer.path(file) + "/content", headers: ["Range": "bytes=0-1"])

        #expect(head.status == 200)
        #expect(head.headers["ETag"] == "\"\(file["contentVersion"].text)\"")
        #expect(head.body.count == size.rawValue)  // What the connection counts and leaves out.
    }

    @Test("in one range gives that", arguments: ContentSize.allCases)
    func range(size: ContentSize) async throws {
        let server = try await TestServer()
        let bytes = size.bytes
        let path = TestServer.path(try await server.file("a.bin", bytes: bytes)) + "/content"
        let last = bytes.count - 1
        let rows: [(String, Range<Int>)] = [
            ("bytes=0-0", 0..<1), ("bytes=10-19", 10..<20), ("bytes=990-", 990..<bytes.count),
            ("bytes=-7", bytes.count - 7..<bytes.count),
            ("bytes=\(last)-\(last + 99)", last..<last + 1),
            ("bytes=-99999999", 0..<bytes.count), ("bytes=0-4,5-9", 0..<10),
            ("bytes=\(bytes.count / 3)-\(bytes.count / 2)", bytes.count / 3..<bytes.count / 2 + 1),
        ]

        for (header, range) in rows {
            let answer = try await server.get(path, headers: ["Range": header])
            #expect(answer.status == 206)
            #expect(answer.body == Array(bytes[range]), "\(header)")
            #expect(
                answer.headers["Content-Range"]
                    == "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(bytes.count)")
        }
    }

    @Test("in several ranges gives them one after another", arguments: ContentSize.allCases)
    func ranges(size: ContentSize) async throws {
        let server = try await TestServer()
        let path = TestServer.path(try await server.file("a.txt", bytes: size.bytes)) + "/content"

        let answer = try await server.get(path, headers: ["Range": "bytes=0-3, 100-103,-4"])

        #expect(answer.status == 206)
        let type = try #require(answer.headers["Content-Type"])
        #expect(type.hasPrefix("multipart/byteranges; boundary="))
        let boundary = try #require(type.split(separator: "=").last)
        let parts = answer.body.split(separator: Array("\r\n--\(boundary)".utf8))
        #expect(parts.count == 4)
        for (part, range) in zip(parts, [0..<4, 100..<104, size.rawValue - 4..<size.rawValue]) {
            let head = Array(
                "Content-Range: bytes \(range.lowerBound)-\(range.upperBound - 1)/".utf8)
            #expect(Array(part).firstRange(of: head) != nil)
            #expect(Array(part).suffix(4) == size.bytes[range])
        }
    }

    @Test(
        "in ranges that say nothing gives all of it",
        arguments: ["bytes=5-2", "bytes=x", "lines=1-2", "bytes="])
    func senselessRanges(header: String) async throws {
        let server = try await TestServer()
        let path = TestServer.path(try await server.file("a.txt", "hello")) + "/content"

        let answer = try await server.get(path, headers: ["Range": header])

        #expect(answer.status == 200)
        #expect(answer.text == "hello")
    }

    @Test("in a thousand ranges at once gives all of it")
    func thousandRanges() async throws {
        let server = try await TestServer()
        let path = TestServer.path(try await server.file("a.txt", bytes: patterned(4000)))
        let header = "bytes=" + (0..<1000).map { "\($0 * 4)-\($0 * 4)" }.joined(separator: ",")

        let answer = try await server.get(path + "/content", headers: ["Range": header])

        #expect(answer.status == 200)
        #expect(answer.body.count == 4000)
    }

    @Test(
        "beyond the end is refused, with the size",
        arguments: ["bytes=5-", "bytes=99-100", "bytes=-0"])
    func beyond(header: String) async throws {
        let server = try await TestServer()
        let path = TestServer.path(try await server.file("a.txt", "hello")) + "/content"

        let answer = try await server.get(path, headers: ["Range": header])

        #expect(answer.status == 416)
        #expect(answer.code == "range_not_satisfiable")
        #expect(answer["size"] == 5)
        #expect(answer.headers["Content-Range"] == "bytes */5")
    }

    @Test("happens only where the conditions hold")
    func conditions() async throws {
        let server = try await TestServer()
        let file = try await server.file("a.txt", "hello")
        let path = TestServer.path(file) + "/content"
        let etag = "\"\(file["contentVersion"].text)\""
        let rows: [(String, String, Int)] = [
            ("If-None-Match", etag, 304), ("If-None-Match", "\"x\", \(etag)", 304),
            ("If-None-Match", "*", 304), ("If-None-Match", "\"x\"", 200),
            ("If-Match", etag, 200), ("If-Match", "*", 200), ("If-Match", "\"x\"", 412),
            ("If-Match", "W/\(etag)", 412), ("If-Match", "garbage", 412),
        ]

        for (name, value, status) in rows {
            let answer = try await server.get(path, headers: [name: value])
            #expect(answer.status == status, "\(name): \(value)")
            if status == 304 {
                #expect(answer.body == [])
                #expect(answer.headers["ETag"] == etag)
            }
            if status == 412 { #expect(answer.code == "precondition_failed") }
        }
    }

    @Test("takes no date for a sign of the same content: its writer chose that")
    func dates() async throws {
        let server = try await TestServer()
        let date = "2026-11-20T18:04:11Z"
        let old = try await server.put(
            "/v1/domains/Work/files/a.txt?modified=\(date)", bytes: Array("one".utf8))
        #expect(old.status == 201)
        let path = "/v1/domains/Work/files/a.txt"
        let seen = try #require(try await server.get(path).headers["Last-Modified"])
        _ = try await server.put(path + "?modified=\(date)", bytes: Array("two".utf8))
        server.clock.advance(.seconds(60))

        let since = try await server.get(path, headers: ["If-Modified-Since": seen])
        let part = try await server.get(path, headers: ["Range": "bytes=1-", "If-Range": seen])
        let rest = try await server.get(
            path, headers: ["Range": "bytes=1-", "If-Unmodified-Since": seen])

        #expect(seen == "Fri, 20 Nov 2026 18:04:11 GMT")
        #expect(since.status == 200 && since.text == "two")
        #expect(part.status == 200 && part.text == "two")
        #expect(rest.status == 412 && rest.code == "precondition_failed")
    }

    @Test("gives a range only of the version that one has the rest of")
    func ifRange() async throws {
        let server = try await TestServer()
        let file = try await server.file("a.txt", "hello")
        let path = TestServer.path(file) + "/content"
        let etag = "\"\(file["contentVersion"].text)\""

        let same = try await server.get(path, headers: ["Range": "bytes=1-2", "If-Range": etag])
        let other = try await server.get(
            path, headers: ["Range": "bytes=1-2", "If-Range": "\"x\""])

        #expect(same.status == 206)
        #expect(same.text == "el")
        #expect(other.status == 200)
        #expect(other.text == "hello")
    }

    @Test("of an earlier version gives that")
    func versions() async throws {
        let server = try await TestServer()
        let old = try await server.file("a.txt", "old")
        let path = TestServer.path(old) + "/content"
        try await server.file("a.txt", "new")
        let version = old["contentVersion"].text

        let earlier = try await server.get(path + "?version=\(version)")
        let unknown = try await server.get(path + "?version=zzz")
        let senseless = try await server.get(path + "?version=!")

        #expect(earlier.text == "old")
        #expect(earlier.version == version)
        #expect(unknown.status == 404)
        #expect(unknown.code == "version_not_available")
        #expect(senseless.code == "bad_parameter")
        #expect(try await server.get(path).text == "new")
    }

    @Test("is possible of files only")
    func notAFile() async throws {
        let server = try await TestServer()

        let answer = try await server.get(TestServer.path("root") + "/content")

        #expect(answer.status == 409)
        #expect(answer.code == "not_a_file")
    }
}
