/// Reads a regular expression in ICU's syntax, as far as it needs no going back.
struct RegexParser {
    private static let mostDepth = 30
    static let mostRepetitions = 1_000

    private let scalars: [Unicode.Scalar]
    private let options: TextOptions
    private var position = 0
    private var depth = 0

    static func parse(_ pattern: String, _ options: TextOptions) throws(RegexFlaw) -> RegexNode {
        var parser = RegexParser(scalars: Array(pattern.unicodeScalars), options: options)
        let node = try parser.choice()
        guard parser.next == nil else { throw .unopenedGroup }
        return node
    }

    private init(scalars: [Unicode.Scalar], options: TextOptions) {
        self.scalars = scalars
        self.options = options
    }

    private var next: Unicode.Scalar? {
        position < scalars.count ? scalars[position] : nil
    }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard next == scalar else { return false }
        position += 1
        return true
    }

    private mutating func choice() throws(RegexFlaw) -> RegexNode {
        var parts = [try sequence()]
        while take("|") { parts.append(try sequence()) }
        return parts.count == 1 ? parts[0] : .choice(parts)
    }

    private mutating func sequence() throws(RegexFlaw) -> RegexNode {
        var parts: [RegexNode] = []
        while let scalar = next, scalar != "|", scalar != ")" {
            var part = try atom()
            if let (least, most) = try repetition() {
                part = .repeated(part, least: least, most: most)
            }
            parts.append(part)
        }
        return .sequence(parts)
    }

    private mutating func repetition() throws(RegexFlaw) -> (least: Int, most: Int?)? {
        let found: (least: Int, most: Int?)
        switch next {
        case "*": found = (0, nil)
        case "+": found = (1, nil)
        case "?": found = (0, 1)
        case "{": found = try counted()
        default: return nil
        }
        position += 1
        // Reluctant or not, a whole text matches or does not; but '+' makes it keep what it took.
        _ = take("?")
        if next == "+" { throw .notTaken("a repetition that keeps what it took ('++')") }
        if let next, "*?{".unicodeScalars.contains(next) { throw .nothingToRepeat }
        return found
    }

    /// `{2}`, `{2,}`, `{2,5}`; leaves the closing brace.
    private mutating func counted() throws(RegexFlaw) -> (least: Int, most: Int?) {
        position += 1
        guard let least = number() else { throw .badRepetition }
        var most: Int? = least
        if take(",") { most = number() }
        guard next == "}", most ?? least >= least else { throw .badRepetition }
        return (least, most)
    }

    private mutating func number() -> Int? {
        var value: Int?
        while let scalar = next, ("0"..."9").contains(scalar) {
            let raised = (value ?? 0) * 10 + Int(scalar.value - 0x30)
            guard raised <= Self.mostRepetitions else { return nil }
            value = raised
            position += 1
        }
        return value
    }

    private mutating func atom() throws(RegexFlaw) -> RegexNode {
        let scalar = scalars[position]
        position += 1
        switch scalar {
        case ".": return .notNewline
        case "^": return .start
        case "$": return .end
        case "(": return try group()
        case "[": return .set(try brackets())
        case "\\": return try escape()
        case "*", "+", "?": throw .nothingToRepeat
        case "{": throw .badRepetition
        default: return .scalar(scalar)
        }
    }

    private mutating func group() throws(RegexFlaw) -> RegexNode {
        if take("?"), !take(":") {
            throw .notTaken("'(?\(next.map(String.init) ?? "")', a group with conditions or names,")
        }
        depth += 1
        guard depth <= Self.mostDepth else { throw .tooDeep(limit: Self.mostDepth) }
        let inner = try choice()
        guard take(")") else { throw .open("(") }
        depth -= 1
        return inner
    }

    private mutating func escape() throws(RegexFlaw) -> RegexNode {
        if let next, let kind = ScalarKind(escape: next) {
            position += 1
            var set = ScalarSet()
            set.insert(kind)
            return .set(set)
        }
        return .scalar(try escapedScalar())
    }

    private mutating func escapedScalar() throws(RegexFlaw) -> Unicode.Scalar {
        guard let scalar = next else { throw .open("\\") }
        position += 1
        switch scalar {
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "b", "B": throw .notTaken("'\\\(scalar)', the edge of a word,")
        case "1"..."9", "k": throw .notTaken("'\\\(scalar)', what a group took before,")
        case _ where scalar.isASCII && (scalar.properties.isAlphabetic || scalar == "0"):
            throw .unknownEscape(String(scalar))
        default: return scalar
        }
    }

    private mutating func brackets() throws(RegexFlaw) -> ScalarSet {
        var set = ScalarSet()
        set.ignoresCase = options.contains(.ignoringCase)
        set.isNegated = take("^")
        var isFirst = true
        while let scalar = next, isFirst || scalar != "]" {
            isFirst = false
            if scalar == "[" { throw .notTaken("a set inside of a set ('[' in brackets)") }
            if scalar == "&", position + 1 < scalars.count, scalars[position + 1] == "&" {
                throw .notTaken("what sets have in common ('&&' in brackets)")
            }
            position += 1
            if scalar == "\\", let next, let kind = ScalarKind(escape: next) {
                position += 1
                set.insert(kind)
                continue
            }
            let first = scalar == "\\" ? try escapedScalar() : scalar
            guard next == "-", position + 1 < scalars.count, scalars[position + 1] != "]" else {
                set.insert(first)
                continue
            }
            position += 1
            let last = scalars[position]
            position += 1
            let end = last == "\\" ? try escapedScalar() : last
            guard first <= end else { throw .badRange }
            set.insert(first...end)
        }
        guard take("]") else { throw .open("[") }
        return set
    }
}
