import BasketContent
import BasketSupport
import Testing

@Suite("Bytes and numbers as text")
struct TextTests {
    @Test(
        "are hexadecimal digits",
        arguments: [([], ""), ([0, 0x0f, 0xab, 0xff], "000fabff")] as [([UInt8], String)])
    func hex(bytes: [UInt8], text: String) {
        #expect(Hex.encode(bytes) == text)
        #expect(Hex.decode(text) == bytes)
        #expect(Hex.decode(text.uppercased()) == bytes)
    }

    @Test("are not read from broken hex", arguments: ["0", "0g", "0x", " 00", "00 ", "０0"])
    func brokenHex(text: String) {
        #expect(Hex.decode(text) == nil)
    }

    @Test(
        "are 13 characters of base 32 a number",
        arguments: [
            (0, "0000000000000"), (31, "000000000000z"), (32, "0000000000010"),
            (UInt64.max, "fzzzzzzzzzzzz"), (1 << 63, "8000000000000"),
        ] as [(UInt64, String)])
    func base32(number: UInt64, text: String) {
        #expect(number.base32 == text)
        #expect(UInt64(base32: text) == number)
        #expect(Int64(bitPattern: number).base32 == text)
        #expect(Int64(base32: text) == Int64(bitPattern: number))
    }

    @Test(
        "are not read from broken base 32",
        arguments: [
            "", "0", "00000000000000", "000000000000Z", "000000000000i", "000000000000l",
            "000000000000o", "000000000000u", "g000000000000", "zzzzzzzzzzzzz", "-000000000001",
            "0000000000 00",
        ])
    func brokenBase32(text: String) {
        #expect(UInt64(base32: text) == nil)
        #expect(Int64(base32: text) == nil)
    }

    @Test("keep the order of numbers in base 32", arguments: UInt64(0)..<50)
    func order(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let left = generator.next()
        let right = generator.next()
        #expect((left < right) == (left.base32 < right.base32))
        #expect(UInt64(base32: left.base32) == left)
    }

    @Test(
        "are base 64 in both alphabets",
        arguments: [
            ("", "", ""), ("f", "Zg==", "Zg"), ("fo", "Zm8=", "Zm8"), ("foo", "Zm9v", "Zm9v"),
            ("foob", "Zm9vYg==", "Zm9vYg"), ("fooba", "Zm9vYmE=", "Zm9vYmE"),
            ("foobar", "Zm9vYmFy", "Zm9vYmFy"), ("~~~???", "fn5+Pz8/", "fn5-Pz8_"),
        ])
    func base64(plain: String, standard: String, url: String) {
        let bytes = Array(plain.utf8)
        #expect(Base64.encode(bytes, .standard) == standard)
        #expect(Base64.encode(bytes, .url) == url)
        #expect(Base64.decode(standard, .standard) == bytes)
        #expect(Base64.decode(url, .url) == bytes)
    }

    @Test(
        "are not read from broken base 64",
        arguments: [
            ("Zg", .standard), ("Zg=", .standard), ("Zg===", .standard), ("====", .standard),
            ("=", .standard), ("Z===", .standard), ("Zg==Zg==", .standard), ("Zm8=\n", .standard),
            ("Zh==", .standard), ("Zm9=", .standard), ("fn5-", .standard), ("Zm=v", .standard),
            ("Z", .url), ("Zg==", .url), ("Zh", .url), ("Zm9", .url), ("fn5+", .url),
            ("Zm 9", .url), ("Zmé", .url),
        ] as [(String, Base64.Alphabet)])
    func brokenBase64(text: String, alphabet: Base64.Alphabet) {
        #expect(Base64.decode(text, alphabet) == nil)
    }

    @Test("have one text each: what is read is written the same", arguments: UInt64(0)..<20)
    func canonical(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let likely = Array("AZaz09+/-_=ghz".utf8)
        for _ in 0..<500 {
            let count = Int.random(in: 0...14, using: &generator)
            let text = String(
                decoding: (0..<count).map { _ in likely.randomElement(using: &generator) ?? 0 },
                as: UTF8.self)
            for alphabet in Base64.Alphabet.allCases {
                if let bytes = Base64.decode(text, alphabet) {
                    #expect(Base64.encode(bytes, alphabet) == text)
                }
            }
            if let bytes = Hex.decode(text) { #expect(Hex.encode(bytes) == text.lowercased()) }
            if let number = UInt64(base32: text) { #expect(number.base32 == text) }

            let bytes = generator.bytes(count)
            #expect(Base64.decode(Base64.encode(bytes, .url), .url) == bytes)
            #expect(Base64.decode(Base64.encode(bytes, .standard), .standard) == bytes)
        }
    }

    @Test("of a secret are compared as a whole")
    func constantTime() {
        #expect(constantTimeEquals([], []))
        #expect(constantTimeEquals([1, 2, 3], [1, 2, 3]))
        #expect(!constantTimeEquals([1, 2, 3], [1, 2, 4]))
        #expect(!constantTimeEquals([1, 2, 3], [0, 2, 3]))
        #expect(!constantTimeEquals([1, 2, 3], [1, 2]))
    }
}
