/// Bytes as base 64 (RFC 4648), in the two alphabets that HTTP needs.
package enum Base64 {
    /// Which characters stand for 62 and 63, and whether the end is filled up with `=`.
    package enum Alphabet: Sendable, CaseIterable {
        /// `+` and `/`, filled up: headers such as `Authorization: Basic`.
        case standard
        /// `-` and `_`, not filled up: tokens, cursors and whatever else goes into a URL.
        case url
    }

    package static func encode(_ bytes: [UInt8], _ alphabet: Alphabet) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        let characters = alphabet.characters
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let count = min(3, bytes.count - start)
            var group: UInt32 = 0
            for offset in 0..<3 {
                group = group << 8 | (offset < count ? UInt32(bytes[start + offset]) : 0)
            }
            for position in 0...count {
                text.append(characters[Int(group >> (18 - 6 * UInt32(position)) & 63)])
            }
            if alphabet == .standard {
                for _ in count..<3 { text.append(padding) }
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Strict: no other character, no line break, padding exactly where the alphabet has it, and no
    /// bits behind the last byte, so that bytes have one text. Otherwise nil.
    package static func decode(_ text: String, _ alphabet: Alphabet) -> [UInt8]? {
        var characters = Array(text.utf8)[...]
        if alphabet == .standard {
            guard characters.count.isMultiple(of: 4) else { return nil }
            if characters.last == padding { characters.removeLast() }
            if characters.last == padding { characters.removeLast() }
        }
        guard characters.count % 4 != 1 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(characters.count * 3 / 4)
        var pending: UInt32 = 0
        var bits: UInt32 = 0
        for character in characters {
            guard let value = alphabet.value(of: character) else { return nil }
            pending = pending << 6 | value
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: pending >> bits))
                pending &= 1 << bits - 1
            }
        }
        return pending == 0 ? bytes : nil
    }
}

extension Base64.Alphabet {
    fileprivate var characters: [UInt8] {
        switch self {
        case .standard: standardCharacters
        case .url: urlCharacters
        }
    }

    fileprivate func value(of character: UInt8) -> UInt32? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0")) + 52
        case characters[62]: 62
        case characters[63]: 63
        default: nil
        }
    }
}

private let common = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
private let standardCharacters = Array((common + "+/").utf8)
private let urlCharacters = Array((common + "-_").utf8)
private let padding = UInt8(ascii: "=")
