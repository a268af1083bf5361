import BasketContent
import BasketSupport
import Testing

@Suite("A content hash")
struct ContentHashTests {
    static let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

    @Test(
        "is the SHA-256 that everybody knows",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", abc),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
        ])
    func known(text: String, hex: String) {
        #expect(ContentHash(of: Array(text.utf8)).hex == hex)
        #expect(ContentHash(of: Array(text.utf8)[...]).hex == hex)
    }

    @Test("is the same however the bytes are cut", arguments: UInt64(0)..<20)
    func pieces(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let bytes = generator.bytes(10_000)
        var rest = bytes[...]
        var hasher = SHA256()

        while !rest.isEmpty {
            let count = min(rest.count, Int.random(in: 0...300, using: &generator))
            hasher.update(rest.prefix(count))
            rest = rest.dropFirst(count)
        }

        #expect(hasher.finish() == ContentHash(of: bytes))
    }

    @Test("comes from a hasher that starts anew after each")
    func again() {
        var hasher = SHA256()
        hasher.update([1, 2, 3])
        _ = hasher.finish()

        hasher.update(Array("abc".utf8))

        #expect(hasher.finish().hex == Self.abc)
    }

    @Test("goes on from a hasher in progress without disturbing it")
    func continuing() {
        var first = SHA256()
        first.update(Array("ab".utf8))
        var second = SHA256(continuing: first)
        first.update(Array("X".utf8))

        second.update(Array("c".utf8))

        #expect(second.finish().hex == Self.abc)
        #expect(first.finish() == ContentHash(of: Array("abX".utf8)))
    }

    @Test("survives as text, as bytes, and in a buffer")
    func roundTrip() {
        let hash = ContentHash(of: Array("abc".utf8))
        var buffer = Array("\"".utf8)
        hash.appendHex(to: &buffer)

        #expect(ContentHash(hex: Self.abc) == hash)
        #expect(ContentHash(hex: Self.abc.uppercased()) == hash)
        #expect(ContentHash(bytes: hash.bytes) == hash)
        #expect(String(decoding: buffer, as: UTF8.self) == "\"" + Self.abc)
        #expect("\(hash)" == Self.abc)
    }

    @Test(
        "is not read from anything but 64 digits",
        arguments: [
            "", "ab", "\(abc.dropLast())", "\(abc)0", " \(abc.dropFirst())", "g\(abc.dropFirst())",
            "é\(abc.dropFirst(2))", "0x\(abc.dropFirst(2))", "٠\(abc.dropFirst(2))",
        ])
    func refuses(text: String) {
        #expect(ContentHash(hex: text) == nil)
    }

    @Test("is not read from another number of bytes", arguments: [0, 31, 33, 64])
    func refusesBytes(count: Int) {
        #expect(ContentHash(bytes: [UInt8](repeating: 0, count: count)) == nil)
    }

    @Test("sorts like its text", arguments: UInt64(0)..<50)
    func order(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let (left, right) = (
            ContentHash(of: generator.bytes(8)), ContentHash(of: generator.bytes(8))
        )
        #expect((left < right) == (left.hex < right.hex))
        #expect(!(left < left))
    }
}
