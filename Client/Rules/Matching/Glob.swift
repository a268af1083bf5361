/// A pattern with wildcards, ready to be compared with texts.
///
/// It is run as an automaton whose states are the bits of a few words, all of them at once: the
/// time is the text's length times the words, one for each 64 pieces, and no pattern makes it more.
///
/// A class, since patterns are passed around more often than they are made.
final class Glob: Sendable {
    /// One bit for each piece that takes a scalar, and one for the end.
    private let words: Int
    private let end: Int
    private let separator: Unicode.Scalar?
    /// Which states each ASCII scalar leads out of: 128 times `words`.
    private let ascii: [UInt64]
    /// The same for others: these states by any, those by one, the rest by asking.
    private let anyWide: [UInt64]
    private let wide: [Unicode.Scalar: [UInt64]]
    private let wideSets: [(state: Int, set: ScalarSet)]
    /// States that a scalar need not lead out of.
    private let stays: [UInt64]
    private let staysAtSeparator: [UInt64]
    /// States that are passed by whoever arrives.
    private let skips: [UInt64]

    /// - Parameter separator: nil where a wildcard takes everything.
    init(_ elements: [GlobElement], separator: Unicode.Scalar?) {
        var builder = GlobBuilder(capacity: elements.count + 1, separator: separator)
        for element in elements { builder.add(element) }
        builder.finish()
        words = builder.words
        end = builder.state
        self.separator = separator
        ascii = builder.ascii
        anyWide = builder.anyWide
        wide = builder.wide
        wideSets = builder.wideSets
        stays = builder.stays
        staysAtSeparator = builder.staysAtSeparator
        skips = builder.skips
    }

    /// How much a scalar of a text may cost.
    var weight: Int {
        words + wideSets.reduce(0) { $0 + $1.set.weight }
    }

    /// Whether it is the whole text, which is well-formed UTF-8.
    func matches(_ text: ArraySlice<UInt8>) -> Bool {
        words == 1 ? matchesInOneWord(text) : matchesInWords(text)
    }

    private func matchesInOneWord(_ text: ArraySlice<UInt8>) -> Bool {
        let (stays, staysAtSeparator, skips) = (stays[0], staysAtSeparator[0], skips[0])
        var states: UInt64 = 1 | ((skips & 1) << 1)
        var position = text.startIndex
        while position < text.endIndex {
            let left: UInt64
            let isSeparator: Bool
            if text[position] < 0x80 {
                left = states & ascii[Int(text[position])]
                isSeparator = Unicode.Scalar(text[position]) == separator
                position += 1
            } else {
                let scalar = Self.wideScalar(of: text, at: &position)
                var allowed = anyWide[0] | (wide[scalar]?[0] ?? 0)
                for (state, set) in wideSets
                where states >> UInt64(state) & 1 == 1 && set.contains(scalar) {
                    allowed |= 1 << UInt64(state)
                }
                left = states & allowed
                isSeparator = scalar == separator
            }
            var arrived = left << 1
            arrived |= (arrived & skips) << 1
            states = arrived | (states & (isSeparator ? staysAtSeparator : stays))
            if states == 0 { return false }
        }
        return states >> UInt64(end) & 1 == 1
    }

    private func matchesInWords(_ text: ArraySlice<UInt8>) -> Bool {
        var states = [UInt64](repeating: 0, count: words)
        states[0] = 1 | ((skips[0] & 1) << 1)
        var allowed = states
        var position = text.startIndex
        while position < text.endIndex {
            let isSeparator: Bool
            if text[position] < 0x80 {
                let row = Int(text[position]) * words
                for word in 0..<words { allowed[word] = ascii[row + word] }
                isSeparator = Unicode.Scalar(text[position]) == separator
                position += 1
            } else {
                let scalar = Self.wideScalar(of: text, at: &position)
                let single = wide[scalar]
                for word in 0..<words { allowed[word] = anyWide[word] | (single?[word] ?? 0) }
                for (state, set) in wideSets where set.contains(scalar) {
                    allowed[state / 64] |= 1 << UInt64(state % 64)
                }
                isSeparator = scalar == separator
            }
            if !advance(&states, by: allowed, isSeparator) { return false }
        }
        return states[end / 64] >> UInt64(end % 64) & 1 == 1
    }

    /// False when no state is left.
    private func advance(
        _ states: inout [UInt64], by allowed: [UInt64], _ isSeparator: Bool
    ) -> Bool {
        var carried: UInt64 = 0
        var skipped: UInt64 = 0
        var any: UInt64 = 0
        for word in 0..<words {
            let left = states[word] & allowed[word]
            let arrived = left << 1 | carried
            carried = left >> 63
            let passed = arrived & skips[word]
            let stayed = states[word] & (isSeparator ? staysAtSeparator[word] : stays[word])
            states[word] = arrived | passed << 1 | skipped | stayed
            skipped = passed >> 63
            any |= states[word]
        }
        return any != 0
    }

    /// A scalar beyond ASCII; what no text holds stands for bytes that are none.
    private static func wideScalar(
        of text: ArraySlice<UInt8>, at position: inout Int
    ) -> Unicode.Scalar {
        let lead = UInt32(text[position])
        let length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
        var value = lead & (0xFF >> UInt32(length + 1))
        position += 1
        for _ in 1..<length where position < text.endIndex {
            value = value << 6 | UInt32(text[position] & 0x3F)
            position += 1
        }
        return Unicode.Scalar(value) ?? "\u{FFFD}"
    }
}
