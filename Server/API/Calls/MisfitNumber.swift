/// Finds the first number in a JSON document that is no whole number of 64 bits. The decoder says
/// of one only that the document is not valid, which would send people looking for a comma.
///
/// It walks over the bytes once, whatever they are: this is done for requests that nobody has vouched for.
struct MisfitNumber {
    /// Where it stands: the names of members, the indices of elements.
    let path: [String]

    /// Nil where there is none, or where the brackets do not match: then that is what is wrong.
    init?(in bytes: [UInt8]) {
        var walk = Walk(bytes: bytes)
        guard walk.run(), let found = walk.found else { return nil }
        path = found
    }
}

/// A walk over the tokens of a document, which knows where it is.
private struct Walk {
    enum Level {
        /// The member that is being read, as its bytes lie.
        case object(name: Range<Int>?)
        case array(index: Int)
    }

    let bytes: [UInt8]
    private var position = 0
    private var levels: [Level] = []
    private(set) var found: [String]?

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// False when the brackets do not match, or a string does not end.
    mutating func run() -> Bool {
        while position < bytes.count {
            let byte = bytes[position]
            switch byte {
            case UInt8(ascii: "{"): levels.append(.object(name: nil))
            case UInt8(ascii: "["): levels.append(.array(index: 0))
            case UInt8(ascii: "}"):
                guard case .object = levels.popLast() else { return false }
            case UInt8(ascii: "]"):
                guard case .array = levels.popLast() else { return false }
            case UInt8(ascii: ","): next()
            case UInt8(ascii: "\""):
                guard let text = string() else { return false }
                name(text)
                continue
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                number()
                continue
            default: break
            }
            position += 1
        }
        return levels.isEmpty
    }

    private mutating func next() {
        switch levels.popLast() {
        case .array(let index): levels.append(.array(index: index + 1))
        case .object: levels.append(.object(name: nil))
        case nil: break
        }
    }

    /// A string names a member when none is named yet.
    private mutating func name(_ text: Range<Int>) {
        guard case .object(nil) = levels.last else { return }
        levels[levels.count - 1] = .object(name: text)
    }

    /// Goes behind the string; nil when it does not end.
    private mutating func string() -> Range<Int>? {
        let start = position + 1
        position = start
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\\"): position += 2
            case UInt8(ascii: "\""):
                defer { position += 1 }
                return start..<position
            default: position += 1
            }
        }
        return nil
    }

    private mutating func number() {
        let start = position
        while position < bytes.count, Self.isPartOfNumber(bytes[position]) { position += 1 }
        guard found == nil else { return }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if Int64(text) == nil { found = levels.compactMap(word) }
    }

    private static func isPartOfNumber(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"),
            UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
            true
        default: false
        }
    }

    private func word(_ level: Level) -> String? {
        switch level {
        case .object(let name):
            name.map { String(decoding: bytes[$0], as: UTF8.self) }
        case .array(let index): "\(index)"
        }
    }
}
