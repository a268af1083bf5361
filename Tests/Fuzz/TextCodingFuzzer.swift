import BasketContent

/// Bytes as text: every byte comes back, and a text that is read is the one that would be written.
enum TextCodingFuzzer: Fuzzer {
    static let name = "text-coding"

    static func feed(_ bytes: [UInt8]) throws(FuzzFinding) {
        let text = String(decoding: bytes, as: UTF8.self)
        for alphabet in Base64.Alphabet.allCases {
            guard Base64.decode(Base64.encode(bytes, alphabet), alphabet) == bytes else {
                throw FuzzFinding("bytes do not come back from base 64")
            }
            let decoded = Base64.decode(text, alphabet)
            try check(text, decoded.map { Base64.encode($0, alphabet) })
        }
        guard Hex.decode(Hex.encode(bytes)) == bytes else {
            throw FuzzFinding("bytes do not come back from hexadecimal digits")
        }
        // Hexadecimal digits have two cases; the lower one is written.
        try check(text.lowercased(), Hex.decode(text).map(Hex.encode))
        try check(text.lowercased(), ContentHash(hex: text)?.hex)
    }

    private static func check(_ text: String, _ again: String?) throws(FuzzFinding) {
        guard again.map({ $0.utf8.elementsEqual(text.utf8) }) ?? true else {
            throw FuzzFinding("'\(text)' is written as '\(again ?? "")'")
        }
    }
}
