/// Takes the text of a rule apart, scalar by scalar.
struct PredicateLexer {
    private let scalars: [Unicode.Scalar]
    private var position = 0

    init(_ scalars: [Unicode.Scalar]) {
        self.scalars = scalars
    }

    /// The whole rule, and a token for its end.
    mutating func tokens() throws(RuleError) -> [PredicateToken] {
        var tokens: [PredicateToken] = []
        while true {
            while let next, next.properties.isWhitespace { position += 1 }
            let offset = position
            guard let first = next else {
                return tokens + [PredicateToken(kind: .end, offset: offset)]
            }
            tokens.append(PredicateToken(kind: try kind(from: first), offset: offset))
        }
    }

    private var next: Unicode.Scalar? { peek(0) }

    private func peek(_ distance: Int) -> Unicode.Scalar? {
        position + distance < scalars.count ? scalars[position + distance] : nil
    }

    private func failure(_ problem: RuleProblem, at offset: Int? = nil) -> RuleError {
        RuleError(problem, at: offset ?? position, in: scalars)
    }

    private mutating func kind(
        from first: Unicode.Scalar
    ) throws(RuleError) -> PredicateToken.Kind {
        switch first {
        case "\"", "'": return .string(try string(closing: first))
        case "0"..."9": return .number(try number())
        case "%": throw failure(.placeholder)
        case "#", "@", "$":
            let offset = position
            position += 1
            let name = identifier()
            guard !name.isEmpty else { throw failure(.badKey, at: offset) }
            return first == "#" ? .key(name) : first == "@" ? .aggregate(name) : .variable(name)
        case _ where Self.beginsWord(first): return .word(word())
        default: return .sign(try sign(first))
        }
    }

    private mutating func sign(_ first: Unicode.Scalar) throws(RuleError) -> PredicateSign {
        for sign in PredicateSign.allCases {
            let text = sign.rawValue.unicodeScalars
            guard scalars[position...].starts(with: text) else { continue }
            position += text.count
            return sign
        }
        throw failure(.unexpectedCharacter(String(first)))
    }

    private static func beginsWord(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "_" || scalar.properties.isAlphabetic
    }

    private mutating func identifier() -> String {
        var name = String.UnicodeScalarView()
        while let scalar = next, Self.beginsWord(scalar) || Self.continuesWord(scalar) {
            name.append(scalar)
            position += 1
        }
        return String(name)
    }

    private static func continuesWord(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .decimalNumber, .nonspacingMark, .spacingMark: true
        default: false
        }
    }

    /// Two words of the language have dashes in them.
    private mutating func word() -> String {
        let name = identifier()
        guard name.uppercased() == "UTI" else { return name }
        for rest in ["-CONFORMS-TO", "-EQUALS"] {
            let end = position + rest.utf8.count
            guard end <= scalars.count else { continue }
            let found = String(String.UnicodeScalarView(scalars[position..<end]))
            guard found.uppercased() == rest else { continue }
            position = end
            return name + found
        }
        return name
    }

    private mutating func number() throws(RuleError) -> PredicateNumber {
        let offset = position
        let radix = Self.radix(of: next, peek(1))
        if let radix {
            position += 2
            let digits = digits()
            return try whole(digits, radix: radix, from: offset)
        }
        var text = digits()
        if next == ".", let digit = peek(1), ("0"..."9").contains(digit) {
            position += 1
            text += "." + digits()
        }
        // The sign of an exponent sticks to no letters: 2.5e-3.
        if text.last == "e" || text.last == "E", let sign = next, sign == "-" || sign == "+" {
            position += 1
            text += String(sign) + digits()
        }
        if let integer = Int64(text) { return .integer(integer) }
        guard text.utf8.allSatisfy(Self.isDecimal), let real = Double(text), real.isFinite else {
            throw failure(.badNumber(written(from: offset)), at: offset)
        }
        return .real(real)
    }

    private static func isDecimal(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || ".eE+-".utf8.contains(byte)
    }

    private static func radix(of first: Unicode.Scalar?, _ second: Unicode.Scalar?) -> Int? {
        guard first == "0" else { return nil }
        return switch second {
        case "x", "X": 16
        case "o", "O": 8
        case "b", "B": 2
        default: nil
        }
    }

    private func whole(
        _ digits: String, radix: Int, from offset: Int
    ) throws(RuleError) -> PredicateNumber {
        guard let value = Int64(digits, radix: radix) else {
            throw failure(.badNumber(written(from: offset)), at: offset)
        }
        return .integer(value)
    }

    /// Digits, and the letters that stick to them.
    private mutating func digits() -> String {
        var text = String.UnicodeScalarView()
        while let scalar = next, scalar.isASCII,
            scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
        {
            text.append(scalar)
            position += 1
        }
        return String(text)
    }

    private func written(from offset: Int) -> String {
        String(String.UnicodeScalarView(scalars[offset..<min(position, offset + 40)]))
    }

    private mutating func string(closing quote: Unicode.Scalar) throws(RuleError) -> String {
        let offset = position
        position += 1
        var text = String.UnicodeScalarView()
        while let scalar = next {
            position += 1
            if scalar == quote { return String(text) }
            text.append(scalar == "\\" ? try escaped() : scalar)
        }
        throw failure(.openString, at: offset)
    }

    /// What stands behind a backslash.
    private mutating func escaped() throws(RuleError) -> Unicode.Scalar {
        let offset = position - 1
        guard let scalar = next else { throw failure(.unknownEscape(""), at: offset) }
        position += 1
        switch scalar {
        case "\\", "'", "\"": return scalar
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "u", "U":
            let end = min(position + 4, scalars.count)
            let digits = String(String.UnicodeScalarView(scalars[position..<end]))
            guard digits.utf8.count == 4, digits.utf8.allSatisfy(Self.isHexadecimal),
                let value = UInt32(digits, radix: 16), let named = Unicode.Scalar(value)
            else { throw failure(.unknownEscape(String(scalar)), at: offset) }
            position = end
            return named
        default: throw failure(.unknownEscape(String(scalar)), at: offset)
        }
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte & 0xDF)
    }
}
