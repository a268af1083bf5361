/// A number as 13 characters of Crockford's base 32, in lower case: short, the same length for every
/// number, in the order of the numbers, and without letters that a reader takes for digits.
///
/// Reading is strict (no `O` for `0`, no capitals): a number has one text, so that a text can be
/// compared instead of what it says.
extension UInt64 {
    package init?(base32 text: String) {
        guard text.utf8.count == Self.base32Count else { return nil }
        var number: UInt64 = 0
        for (position, character) in text.utf8.enumerated() {
            guard let value = alphabet.firstIndex(of: character) else { return nil }
            // 13 characters hold 65 bits: the first one must leave the highest unused.
            if position == 0, value > 15 { return nil }
            number = number << 5 | UInt64(value)
        }
        self = number
    }

    package var base32: String {
        String(unsafeUninitializedCapacity: Self.base32Count) { buffer in
            var rest = self
            for position in (0..<Self.base32Count).reversed() {
                buffer[position] = alphabet[Int(rest & 31)]
                rest >>= 5
            }
            return Self.base32Count
        }
    }

    private static let base32Count = 13
}

/// The same text as that of the number's bits.
extension Int64 {
    package init?(base32 text: String) {
        guard let bits = UInt64(base32: text) else { return nil }
        self = Int64(bitPattern: bits)
    }

    package var base32: String { UInt64(bitPattern: self).base32 }
}

private let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)
