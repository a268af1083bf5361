import BasketSupport

/// Reads one line of an ignore list, in the syntax of gitignore.
struct IgnorePatternParser {
    /// A path of more scalars than this is no pattern that anybody wrote.
    static let mostScalars = 1_024

    private let scalars: [Unicode.Scalar]
    private let caseRule: CaseRule
    private var position = 0
    private var elements: [GlobElement] = []
    /// Gathered, since the form that names are compared in may join what stands together.
    private var literal = String.UnicodeScalarView()

    /// Nil for a line that holds nothing, or a comment.
    static func pattern(
        in line: Substring, number: Int, _ caseRule: CaseRule
    ) throws(IgnoreProblem) -> IgnorePattern? {
        var scalars = Array(line.unicodeScalars)
        // Editors on Windows end lines with it.
        if scalars.last == "\r" { scalars.removeLast() }
        scalars = withoutBlanks(scalars)
        guard let first = scalars.first, first != "#" else { return nil }
        guard scalars.count <= mostScalars else { throw .tooLong(limit: mostScalars) }
        let text = String(String.UnicodeScalarView(scalars))
        let lifts = first == "!"
        if lifts { scalars.removeFirst() }
        let isForFolders = scalars.last == "/"
        if isForFolders { scalars.removeLast() }
        let isPath = scalars.contains("/")
        if scalars.first == "/" { scalars.removeFirst() }
        guard !scalars.isEmpty else { throw .namesNothing }
        var parser = IgnorePatternParser(scalars: scalars, caseRule: caseRule)
        try parser.parse(isPath: isPath)
        return IgnorePattern(
            text: text, line: number, lifts: lifts, isForFolders: isForFolders, isPath: isPath,
            elements: parser.elements)
    }

    private init(scalars: [Unicode.Scalar], caseRule: CaseRule) {
        self.scalars = scalars
        self.caseRule = caseRule
    }

    /// Blanks at the end do not count, unless a backslash stands before them.
    private static func withoutBlanks(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar] {
        var kept = 0
        var position = 0
        while position < scalars.count {
            let isEscaped = scalars[position] == "\\" && position + 1 < scalars.count
            if isEscaped { position += 1 }
            if isEscaped || scalars[position] != " " { kept = position + 1 }
            position += 1
        }
        return Array(scalars[..<kept])
    }

    private var next: Unicode.Scalar? {
        position < scalars.count ? scalars[position] : nil
    }

    private mutating func parse(isPath: Bool) throws(IgnoreProblem) {
        while let scalar = next {
            position += 1
            switch scalar {
            case "\\":
                guard let escaped = next else { throw .danglingEscape }
                position += 1
                literal.append(escaped)
            case "?": add(.one)
            case "*": addStars(isPath: isPath)
            case "[": add(.set(try brackets()))
            default: literal.append(scalar)
            }
        }
        flush()
    }

    private mutating func add(_ element: GlobElement) {
        flush()
        elements.append(element)
    }

    private mutating func flush() {
        guard !literal.isEmpty else { return }
        let folded = String(decoding: caseRule.collisionKey(of: String(literal)), as: UTF8.self)
        elements += folded.unicodeScalars.map(GlobElement.scalar)
        literal = .init()
    }

    /// Two stars are more than one only where they stand for whole components.
    private mutating func addStars(isPath: Bool) {
        let first = position - 1
        while next == "*" { position += 1 }
        let isWhole =
            isPath && position - first > 1 && (first == 0 || scalars[first - 1] == "/")
            && (next == nil || next == "/")
        guard isWhole else { return add(.run) }
        guard next == "/" else { return add(.rest) }
        position += 1
        flush()
        // Twice in a row, they say nothing more.
        if elements.last != .components { elements.append(.components) }
    }

    private mutating func brackets() throws(IgnoreProblem) -> ScalarSet {
        var set = ScalarSet()
        set.ignoresCase = caseRule == .portable
        if next == "!" || next == "^" {
            set.isNegated = true
            position += 1
        }
        var isFirst = true
        while let scalar = next, isFirst || scalar != "]" {
            isFirst = false
            position += 1
            if scalar == "[", next == ":", let kind = try namedClass() {
                set.insert(kind)
                continue
            }
            let low = try setMember(scalar)
            guard next == "-", position + 1 < scalars.count, scalars[position + 1] != "]" else {
                set.insert(low)
                continue
            }
            position += 2
            let high = try setMember(scalars[position - 1])
            guard low <= high else { throw .badRange }
            set.insert(low...high)
        }
        guard next == "]" else { throw .openBracket }
        position += 1
        return set
    }

    private mutating func setMember(_ scalar: Unicode.Scalar) throws(IgnoreProblem)
        -> Unicode.Scalar
    {
        guard scalar == "\\" else { return scalar }
        guard let escaped = next else { throw .danglingEscape }
        position += 1
        return escaped
    }

    /// `[:alpha:]`, of which the bracket was taken. Nil where it is no class, but a bracket.
    private mutating func namedClass() throws(IgnoreProblem) -> ScalarKind? {
        guard let end = scalars[position...].firstIndex(of: "]") else { throw .openBracket }
        guard end - position >= 2, scalars[end - 1] == ":" else { return nil }
        let name = String(String.UnicodeScalarView(scalars[(position + 1)..<(end - 1)]))
        guard let kind = ScalarKind(posix: name) else { throw .unknownClass(name) }
        position = end + 1
        return kind
    }
}
