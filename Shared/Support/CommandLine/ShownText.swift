/// Text that others have chosen, such as a file's name, as a terminal may be given it.
package enum ShownText {
    /// Characters that change where, or in which direction, what follows is written: a name must not look like another.
    private static let directions: Set<Unicode.Scalar> = [
        "\u{200E}", "\u{200F}", "\u{061C}", "\u{202A}", "\u{202B}", "\u{202C}", "\u{202D}",
        "\u{202E}",
        "\u{2066}", "\u{2067}", "\u{2068}", "\u{2069}",
    ]

    /// What a terminal would obey, and not show, is written as in the source of a program: `\n`, `\u{1B}`; so is the
    /// backslash, so that each text is written in a way of its own.
    package static func escaped(_ text: String) -> String {
        escaped(text) { isObeyed($0) || $0 == "\\" }
    }

    /// The same for sentences in lines. The names in them were escaped before, or bring lines of their own at worst.
    static func escapedLines(_ text: String) -> String {
        escaped(text) { isObeyed($0) && $0 != "\n" }
    }

    private static func escaped(
        _ text: String, _ isEscaped: (Unicode.Scalar) -> Bool
    ) -> String {
        guard text.unicodeScalars.contains(where: isEscaped) else { return text }
        var shown = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if isEscaped(scalar) {
                shown += escape(scalar).unicodeScalars
            } else {
                shown.append(scalar)
            }
        }
        return String(shown)
    }

    private static func isObeyed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: directions.contains(scalar)
        }
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\n": "\\n"
        case "\r": "\\r"
        case "\t": "\\t"
        case "\\": "\\\\"
        default: "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
        }
    }
}
