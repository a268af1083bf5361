/// Scalars that patterns name by what they are: `\d` and `\W` in expressions, `[[:alpha:]]` in
/// lists.
struct ScalarKind: Equatable, Sendable {
    private let isNegated: Bool
    private let name: Name

    private enum Name: Equatable {
        case digit, word, space
        case ascii(String)
    }

    /// The classes of POSIX, in ASCII, as gitignore has them.
    private static let posix = [
        "alnum", "alpha", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space",
        "upper", "xdigit",
    ]

    /// By the letter behind a backslash; a capital one means all others.
    init?(escape letter: Unicode.Scalar) {
        switch letter {
        case "d", "D": name = .digit
        case "w", "W": name = .word
        case "s", "S": name = .space
        default: return nil
        }
        isNegated = letter.value < Unicode.Scalar("a").value
    }

    init?(posix text: String) {
        guard Self.posix.contains(text) else { return nil }
        name = .ascii(text)
        isNegated = false
    }

    func contains(_ scalar: Unicode.Scalar) -> Bool {
        switch name {
        case .digit: (scalar.properties.generalCategory == .decimalNumber) != isNegated
        case .word: Self.isWord(scalar) != isNegated
        case .space: scalar.properties.isWhitespace != isNegated
        case .ascii(let name): Self.ascii(name, contains: scalar)
        }
    }

    private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.properties.isAlphabetic { return true }
        return switch scalar.properties.generalCategory {
        case .decimalNumber, .connectorPunctuation, .nonspacingMark, .spacingMark, .enclosingMark:
            true
        default: scalar.value == 0x200C || scalar.value == 0x200D
        }
    }

    private static func ascii(_ name: String, contains scalar: Unicode.Scalar) -> Bool {
        guard scalar.isASCII else { return false }
        let isLower = ("a"..."z").contains(scalar)
        let isUpper = ("A"..."Z").contains(scalar)
        let isDigit = ("0"..."9").contains(scalar)
        let isShown = (0x21...0x7E).contains(scalar.value)
        return switch name {
        case "alnum": isLower || isUpper || isDigit
        case "alpha": isLower || isUpper
        case "blank": scalar == " " || scalar == "\t"
        case "cntrl": scalar.value < 0x20 || scalar.value == 0x7F
        case "digit": isDigit
        case "graph": isShown
        case "lower": isLower
        case "print": isShown || scalar == " "
        case "punct": isShown && !isLower && !isUpper && !isDigit
        case "space": scalar == " " || (0x09...0x0D).contains(scalar.value)
        case "upper": isUpper
        default: isDigit || ("a"..."f").contains(scalar) || ("A"..."F").contains(scalar)
        }
    }
}
