/// The SHA-256 of a content or of a chunk: what names it everywhere. Four words instead of an array,
/// so that millions of them cost no allocation.
package struct ContentHash: Hashable, Sendable {
    /// How many bytes a hash has.
    package static let byteCount = 32

    private let words: (UInt64, UInt64, UInt64, UInt64)

    /// Reads exactly 32 bytes, or nil.
    package init?(bytes: Span<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        func word(_ index: Int) -> UInt64 {
            var word: UInt64 = 0
            for offset in index * 8..<index * 8 + 8 { word = word << 8 | UInt64(bytes[offset]) }
            return word
        }
        // Big-endian, so that comparing words compares the bytes in their order.
        words = (word(0), word(1), word(2), word(3))
    }

    /// Reads exactly 32 bytes, or nil.
    package init?(bytes: [UInt8]) {
        self.init(bytes: bytes.span)
    }

    /// Reads exactly 64 hexadecimal digits of either case, or nil.
    package init?(hex text: String) {
        guard text.utf8.count == Self.byteCount * 2, let bytes = Hex.decode(text) else {
            return nil
        }
        self.init(bytes: bytes)
    }

    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.byteCount)
        forEachByte { bytes.append($0) }
        return bytes
    }

    /// 64 hexadecimal digits in lower case.
    package var hex: String {
        String(unsafeUninitializedCapacity: Self.byteCount * 2) { buffer in
            var next = 0
            forEachByte { byte in
                (buffer[next], buffer[next + 1]) = Hex.digits(of: byte)
                next += 2
            }
            return next
        }
    }

    /// Writes `hex` behind what the buffer holds, for JSON that is put together as bytes.
    package func appendHex(to buffer: inout [UInt8]) {
        forEachByte { byte in
            let (high, low) = Hex.digits(of: byte)
            buffer.append(high)
            buffer.append(low)
        }
    }

    package static func == (left: ContentHash, right: ContentHash) -> Bool {
        left.words == right.words
    }

    /// One word is enough: every bit of a hash is as good as any other.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(words.0)
    }

    private func forEachByte(_ body: (UInt8) -> Void) {
        for word in [words.0, words.1, words.2, words.3] {
            var shift: UInt64 = 64
            while shift > 0 {
                shift -= 8
                body(UInt8(truncatingIfNeeded: word >> shift))
            }
        }
    }
}

extension ContentHash: Comparable {
    package static func < (left: ContentHash, right: ContentHash) -> Bool {
        left.words < right.words
    }
}

extension ContentHash: CustomStringConvertible {
    package var description: String { hex }
}

extension ContentHash: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let hash = ContentHash(hex: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "A hash is 64 hexadecimal digits.")
        }
        self = hash
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(hex)
    }
}
