/// What the identifier of a dynamic type says: a tag that nobody declared, and what it conforms to.
///
/// The identifier is `dyn.` and the base 32 of a letter for the class, the supertype, a colon and the tag:
/// whoever reads it knows all that there is to know, so it may be stored and sent elsewhere.
struct DynamicTag: Equatable {
    private static let prefix = "dyn."
    private static let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)

    let tag: TypeTag
    let parent: String

    /// Nil when the parent's name is longer than any that a table holds.
    init?(_ tag: TypeTag, parent: String) {
        guard parent.utf8.count <= TypeTag.mostBytes, !parent.contains(":") else { return nil }
        // An extension means the same in capitals.
        guard let plain = TypeTag(tag.text.lowercased(), tag.tagClass) else { return nil }
        self.tag = plain
        self.parent = parent
    }

    /// Reads an identifier; nil unless it is exactly one that would be written.
    init?(identifier: String) {
        guard identifier.hasPrefix(Self.prefix),
            identifier.utf8.count <= 4 * TypeTag.mostBytes,
            let bytes = Self.decoded(identifier.utf8.dropFirst(Self.prefix.utf8.count)),
            let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
            let letter = bytes.first
        else { return nil }
        let tagClass: UTTagClass
        switch letter {
        case UInt8(ascii: "e"): tagClass = .filenameExtension
        case UInt8(ascii: "m"): tagClass = .mimeType
        default: return nil
        }
        let parent = String(decoding: bytes[1..<colon], as: UTF8.self)
        let text = String(decoding: bytes[(colon + 1)...], as: UTF8.self)
        guard let tag = TypeTag(text, tagClass), let read = DynamicTag(tag, parent: parent),
            read.identifier == identifier
        else { return nil }
        self = read
    }

    var identifier: String {
        let letter = tag.tagClass == .mimeType ? "m" : "e"
        return Self.prefix + Self.encoded(Array("\(letter)\(parent):\(tag.text)".utf8))
    }

    private static func encoded(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        var pending: UInt32 = 0
        var bits: UInt32 = 0
        for byte in bytes {
            pending = pending << 8 | UInt32(byte)
            bits += 8
            while bits >= 5 {
                bits -= 5
                text.append(alphabet[Int(pending >> bits & 31)])
            }
            pending &= (1 << bits) - 1
        }
        if bits > 0 { text.append(alphabet[Int(pending << (5 - bits) & 31)]) }
        return String(decoding: text, as: UTF8.self)
    }

    private static func decoded(_ text: Substring.UTF8View) -> [UInt8]? {
        var bytes: [UInt8] = []
        var pending: UInt32 = 0
        var bits: UInt32 = 0
        for letter in text {
            guard let value = alphabet.firstIndex(of: letter) else { return nil }
            pending = pending << 5 | UInt32(value)
            bits += 5
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(pending >> bits & 255))
            }
            pending &= (1 << bits) - 1
        }
        return bytes
    }
}
