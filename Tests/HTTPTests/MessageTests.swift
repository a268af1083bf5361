import BasketSupport
import Testing

@testable import BasketHTTP

@Suite("A message's parts")
struct MessageTests {
    @Test(
        "make an event of a stream",
        arguments: [
            (ServerSentEvent(data: "hello"), "data: hello\n\n"),
            (ServerSentEvent(data: ""), "data: \n\n"),
            (ServerSentEvent(data: "a\nb\r\nc\rd"), "data: a\ndata: b\ndata: c\ndata: d\n\n"),
            (
                ServerSentEvent(id: "e-7", name: "change", data: "{}", retryMilliseconds: 500),
                "id: e-7\nevent: change\nretry: 500\ndata: {}\n\n"
            ),
            (
                ServerSentEvent(id: "1\ndata: x\0", name: "a\r\nb", data: "c"),
                "id: 1data: x\nevent: ab\ndata: c\n\n"
            ),
        ])
    func events(event: ServerSentEvent, text: String) {
        #expect(String(decoding: event.bytes, as: UTF8.self) == text)
    }

    @Test(
        "make a target",
        arguments: [
            ("/", [""], "/"), ("/a/b", ["a", "b"], "/a/b"), ("/a/", ["a", ""], "/a/"),
            ("http://host/x?y", ["x"], "/x"), ("HTTPS://host:1/", [""], "/"), ("/é", ["é"], "/é"),
            ("/a+b%20c%2f", ["a+b c/"], "/a+b%20c%2f"), ("*", [], "*"), ("/..", [".."], "/.."),
        ])
    func targets(text: String, path: [String], rawPath: String) throws {
        let target = try RequestTarget(Array(text.utf8)[...])
        #expect(target.path == path && target.rawPath == rawPath)
    }

    @Test("are refused or read, whatever they are", arguments: UInt64(0)..<100)
    func anything(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let alphabet = Array("/%%2f?&=+#: aé*AZ09._~\0\r\n\t".utf8) + [0xFF, 0xC3]
        for _ in 0..<200 {
            let bytes = (0..<Int(random.next() % 40)).map { _ in
                alphabet[Int(random.next() % UInt64(alphabet.count))]
            }
            _ = try? RequestTarget(bytes[...])
            if let headers = try? bytes.withUnsafeBufferPointer({ try HeaderBlock.parse($0) }) {
                for (name, value) in headers.fields {
                    #expect(!name.isEmpty && name.utf8.allSatisfy(\.isTokenCharacter))
                    #expect(!value.utf8.contains { $0 < 32 && $0 != 9 })
                }
            }
        }
    }

    @Test(
        "make headers of what libmicrohttpd leaves of their bytes",
        arguments: [
            ("\0\0", []), ("A\0 b \0\0\0\0", ["A=b"]), ("A\0\0\0B\0c\0\0\0\0", ["A=", "B=c"]),
            ("A\0b\0C\0d\0\0\0\0", nil), ("A\0b\0\0", nil), ("A\0b\0\0\0", nil),
            ("\0b\0\0\0\0", nil),
            ("", nil), ("A", nil), ("A\0b\0\0\0\0x", nil),
        ] as [(String, [String]?)])
    func headers(block: String, fields: [String]?) {
        let headers = try? Array(block.utf8).withUnsafeBufferPointer { try HeaderBlock.parse($0) }
        #expect(headers?.fields.map { "\($0.name)=\($0.value)" } == fields)
    }

    @Test("are found without regard to case, and replaced as one")
    func fields() {
        var headers: HTTPHeaders = ["A": "1", "b": "2", "a": "3"]
        #expect(headers["a"] == "1" && headers.all("A") == ["1", "3"] && headers["c"] == nil)
        headers["A"] = "4"
        #expect(headers.all("a") == ["4"])
        headers["b"] = nil
        #expect(headers.fields.count == 1)
    }
}
