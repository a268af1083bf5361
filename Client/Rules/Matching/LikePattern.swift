/// The pattern of `LIKE`: `*` for anything, `?` for one scalar, `\` before either for itself.
struct LikePattern: Sendable {
    private let glob: Glob
    private let options: TextOptions

    init(_ pattern: String, _ options: TextOptions) {
        var elements: [GlobElement] = []
        var literal = String.UnicodeScalarView()
        func flush() {
            elements += FoldedText(String(literal), options).scalars.map(GlobElement.scalar)
            literal = .init()
        }
        var isEscaped = false
        for scalar in pattern.unicodeScalars {
            switch scalar {
            case _ where isEscaped:
                literal.append(scalar)
                isEscaped = false
            case "\\": isEscaped = true
            case "*", "?":
                flush()
                elements.append(scalar == "*" ? .run : .one)
            default: literal.append(scalar)
            }
        }
        if isEscaped { literal.append("\\") }
        flush()
        glob = Glob(elements, separator: nil)
        self.options = options
    }

    /// How much a byte of a text may cost.
    var weight: Int { glob.weight }

    func matches(_ text: String) -> Bool {
        glob.matches(FoldedText(text, options).bytes[...])
    }
}
