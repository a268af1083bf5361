import BasketContent
import BasketSupport
import Testing

@Suite("A password's hash")
struct PasswordHashTests {
    private static let salt = Array("0123456789abcdef".utf8)
    private static let text =
        "scrypt$ln=4,r=1,p=1$MDEyMzQ1Njc4OWFiY2RlZg$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

    @Test("knows its password, and no other")
    func verifies() throws {
        let hash = try PasswordHash.make(password: "Grüße, 🌍", salt: Self.salt)
        let stored = try #require(PasswordHash(encoded: hash.encoded))

        #expect(stored == hash)
        #expect(try stored.verify("Grüße, 🌍"))
        #expect(try !stored.verify("Grüße, 🌎"))
        #expect(try !stored.verify(""))
        #expect(!stored.needsRehash())
    }

    @Test("is the scrypt that other programs compute")
    func known() throws {
        // Python: hashlib.scrypt(b"pleaseletmein", salt=b"0123456789abcdef", n=2**15, r=8, p=1)
        let hash = try PasswordHash.make(password: "pleaseletmein", salt: Self.salt)
        #expect(
            hash.encoded
                == "scrypt$ln=15,r=8,p=1$MDEyMzQ1Njc4OWFiY2RlZg$wgz8Rjl3FIdXqMbpup1grVeMbCJ1jxgUklvEb2NRR_Q"
        )
    }

    @Test("works for an empty password too")
    func empty() throws {
        let hash = try PasswordHash.make(password: "", salt: Self.salt, cost: .insecure)
        #expect(try hash.verify(""))
        #expect(try !hash.verify("x"))
    }

    @Test("asks to be made anew when the cost has risen")
    func rehash() throws {
        let hash = try PasswordHash.make(password: "x", salt: Self.salt, cost: .insecure)
        #expect(hash.needsRehash())
        #expect(!hash.needsRehash(to: .insecure))
    }

    @Test("differs with the salt")
    func salted() throws {
        let other = Array("fedcba9876543210".utf8)
        let hashes = try [Self.salt, other].map {
            try PasswordHash.make(password: "x", salt: $0, cost: .insecure)
        }
        #expect(hashes[0] != hashes[1])
    }

    @Test(
        "is not read from anything else, nor from what would cost too much",
        arguments: [
            ("ln=4,r=1,p=1", "ln=4,r=1"), ("ln=4", "ln=04"), ("ln=4", "ln=+4"),
            ("ln=4", "ln=0"), ("ln=4", "ln=-4"), ("ln=4", "ln=18"), ("ln=4", "ln=63"),
            ("ln=4", "ln=64"), ("ln=4", "ln=99999999999999999999"), ("r=1", "r=0"),
            ("r=1", "r=17"), ("r=1", "r=1073741824"), ("p=1", "p=0"), ("p=1", "p=5"),
            ("ln=4,r=1", "ln=17,r=16"), ("ln=4,r=1", "r=1,ln=4"), ("ln=", "xx="),
            ("ln=4,r=1,p=1", "ln=4,r=1,p=1,q=1"), ("scrypt", "argon2"), ("scrypt", ""),
            ("$MDEy", "$$MDEy"), ("$MDEyMzQ1Njc4OWFiY2RlZg", ""), ("$MDEyMzQ1Njc4OWFiY2RlZg", "$"),
            ("$MDEyMzQ1Njc4OWFiY2RlZg", "$MDEy"), ("MDEy", "MDE="), ("AAAA$", "AAAB$"),
            ("$AAAA", "$AAA"), ("$AAAA", "$AAAAAAAA"), ("scrypt", " scrypt"),
        ])
    func refuses(part: String, replacement: String) {
        #expect(PasswordHash(encoded: Self.text) != nil)
        guard let range = (Self.text + "$").ranges(of: part).first else { return }
        var text = Self.text + "$"
        text.replaceSubrange(range, with: replacement)
        text.removeLast()
        if replacement == "AAAB$" { text = String(text.dropLast()) + "B" }
        #expect(PasswordHash(encoded: text) == nil)
    }

    @Test("is not read from a text without end")
    func long() {
        #expect(PasswordHash(encoded: Self.text + String(repeating: "A", count: 1 << 20)) == nil)
    }

    @Test("survives random damage: nothing, or a text that is written the same")
    func damage() {
        var generator = SeededGenerator(seed: 30)
        let likely = Array("$=,lnrp0123456789AZ_-".utf8)
        for _ in 0..<5000 {
            var text = Array(Self.text.utf8)
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let place = Int.random(in: 0..<text.count, using: &generator)
                let byte = likely.randomElement(using: &generator) ?? 0
                switch generator.next() % 3 {
                case 0: text[place] = byte
                case 1: text.insert(byte, at: place)
                default: text.remove(at: place)
                }
            }
            let string = String(decoding: text, as: UTF8.self)
            if let hash = PasswordHash(encoded: string) {
                #expect(hash.encoded == string)
            }
        }
    }
}
