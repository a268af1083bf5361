import BasketConnection
import BasketContent
import BasketModels
import Testing

@Suite("An answer with many contents")
struct ContentsReceiverTests {
    private static func wanted(_ names: String...) -> [ContentsRequest.Wanted] {
        names.map { ContentsRequest.Wanted(item: $0) }
    }

    private static func frame(
        _ id: String, _ text: String, size: Int? = nil, hash: ContentHash? = nil,
        version: String = "1xc5ysc7z9b4", end: String = "\n"
    ) -> [UInt8] {
        let bytes = Array(text.utf8)
        let hash = (hash ?? ContentHash(of: bytes)).hex
        let item =
            #"{"id":"\#(id)","name":"a","kind":"file","contentVersion":"\#(version)","metadataVersion":"1xc5ysc7z9b4"}"#
        let head =
            #"{"item":\#(item),"version":"\#(version)","size":\#(size ?? bytes.count),"sha256":"\#(hash)"}"#
        return Array(head.utf8) + [0x0A] + bytes + Array(end.utf8)
    }

    private static let refusal = Array(
        (#"{"problem":{"status":404,"code":"no_such_item","title":"It is gone."}}"# + "\n").utf8)

    /// What comes of the bytes, in pieces of that size: texts, or what went wrong.
    private static func outcomes(
        _ receiver: ContentsReceiver, _ bytes: [UInt8], pieces size: Int = 1 << 20
    ) throws -> [String] {
        var found: [String] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            var rest = bytes[start..<min(start + size, bytes.count)]
            while let (place, outcome) = try receiver.next(in: &rest) {
                #expect(place == found.count)
                switch outcome {
                case .success(let content):
                    found.append(String(decoding: content.bytes, as: UTF8.self))
                case .failure(let error): found.append(error.code ?? "bad answer")
                }
            }
        }
        return found
    }

    @Test("is read alike in pieces of any size", arguments: [1, 2, 3, 64, 1 << 20])
    func pieces(size: Int) throws {
        let receiver = ContentsReceiver(Self.wanted("a", "b", "gone", "c"))
        let bytes =
            Self.frame("a", "one\n\n{}") + Self.frame("b", "") + Self.refusal + Self.frame("c", "3")

        let found = try Self.outcomes(receiver, bytes, pieces: size)

        #expect(found == ["one\n\n{}", "", "no_such_item", "3"])
        #expect(receiver.isComplete)
    }

    @Test("is not complete before its last byte")
    func truncated() throws {
        let bytes = Self.frame("a", "one") + Self.frame("b", "two")
        for count in 0..<bytes.count {
            let receiver = ContentsReceiver(Self.wanted("a", "b"))
            let found = try Self.outcomes(receiver, Array(bytes.prefix(count)))
            #expect(!receiver.isComplete)
            #expect(found == (count < bytes.count / 2 ? [] : ["one"]))
        }
    }

    @Test(
        "may have one whose bytes are others than its hash names, and the others are what they are")
    func wrongHash() throws {
        let receiver = ContentsReceiver(Self.wanted("a", "b"))
        let bytes = Self.frame("a", "one", hash: ContentHash(of: [])) + Self.frame("b", "two")

        #expect(try Self.outcomes(receiver, bytes) == ["bad answer", "two"])
    }

    @Test(
        "is refused from where it makes no sense",
        arguments: [
            Self.frame("x", "another item"), Self.frame("b", "short", size: 4),
            Self.frame("b", "long", size: 5), Self.frame("b", "", size: -1),
            Self.frame("b", "", size: 1 << 30), Self.frame("b", "no end", end: "x"),
            Array("\n".utf8), Array("{}\n".utf8), Array("nonsense\n".utf8),
            [UInt8](repeating: 0x20, count: (4 << 20) + 1),
        ])
    func nonsense(bytes: [UInt8]) throws {
        let receiver = ContentsReceiver(Self.wanted("a", "b", "c"))
        #expect(try Self.outcomes(receiver, Self.frame("a", "one")) == ["one"])

        #expect(throws: ConnectionError.self) {
            _ = try Self.outcomes(receiver, bytes + Self.frame("c", "behind it"))
        }
        #expect(!receiver.isComplete)
    }

    @Test("must bring the version that was asked for, and no more than was asked for")
    func unasked() throws {
        let version = try #require(Version("1xc5ysc7z9b4"))
        let wanted = [ContentsRequest.Wanted(item: "a", version: version)]
        #expect(throws: ConnectionError.self) {
            _ = try Self.outcomes(
                ContentsReceiver(wanted), Self.frame("a", "one", version: "1xc5ysc7z9c0"))
        }
        let receiver = ContentsReceiver(wanted)
        #expect(try Self.outcomes(receiver, Self.frame("a", "one")) == ["one"])
        #expect(throws: ConnectionError.self) {
            _ = try Self.outcomes(receiver, Self.frame("a", "one"))
        }
    }
}
