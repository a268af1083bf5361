/// Patterns that are all held against names, or all against paths. A text's first and last byte,
/// and which bytes it holds, leave a few of them, and only those are looked at, the last ones
/// first: those decide.
final class IgnorePatternSet: Sendable {
    private let patterns: [IgnorePattern]
    /// One bit for each pattern; words of bits for each byte that a text can begin or end with.
    private let words: Int
    private let byFirst: [UInt64]
    private let byLast: [UInt64]
    private let forFolders: [UInt64]
    private let signatures: [ByteSignature]

    init(_ patterns: [IgnorePattern]) {
        self.patterns = patterns
        signatures = patterns.map(\.signature)
        words = (patterns.count + 63) / 64
        var byFirst = [UInt64](repeating: 0, count: 256 * words)
        var byLast = byFirst
        var forFolders = [UInt64](repeating: 0, count: words)
        for (index, pattern) in patterns.enumerated() {
            let (word, bit) = (index / 64, UInt64(1) << UInt64(index % 64))
            for byte in Self.rows(pattern.prefix.first) { byFirst[byte * words + word] |= bit }
            for byte in Self.rows(pattern.suffix.last) { byLast[byte * words + word] |= bit }
            if pattern.isForFolders { forFolders[word] |= bit }
        }
        self.byFirst = byFirst
        self.byLast = byLast
        self.forFolders = forFolders
    }

    /// The bytes that a text can have in a place: one, or any.
    private static func rows(_ byte: UInt8?) -> ClosedRange<Int> {
        byte.map { Int($0)...Int($0) } ?? 0...255
    }

    var isEmpty: Bool { patterns.isEmpty }

    /// The last pattern that finds the text, behind a certain line.
    func last(
        matching text: ArraySlice<UInt8>, isFolder: Bool, behind line: Int = 0
    ) -> IgnorePattern? {
        guard let first = text.first, let last = text.last else { return nil }
        let signature = ByteSignature(text)
        for word in (0..<words).reversed() {
            var candidates =
                byFirst[Int(first) * words + word] & byLast[Int(last) * words + word]
            if !isFolder { candidates &= ~forFolders[word] }
            while candidates != 0 {
                let bit = 63 - candidates.leadingZeroBitCount
                candidates &= ~(1 << UInt64(bit))
                let index = word * 64 + bit
                guard signature.mayHold(signatures[index]) else { continue }
                let pattern = patterns[index]
                if pattern.line <= line { return nil }
                if pattern.matches(text) { return pattern }
            }
        }
        return nil
    }
}
