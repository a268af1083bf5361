/// What a person looks for: words, each found in a name or a tag, the beginning of one being
/// enough.
package struct SearchQuery: Sendable, Equatable {
    package let words: [String]

    /// More words than anybody types only cost time.
    private static let mostWords = 16

    /// Nil when there is no word in the text.
    package init?(_ text: String) {
        // FTS5 splits at what is neither letter nor number; a quoted piece without any of them
        // would match nothing.
        words = text.split { $0.isWhitespace || $0 == "\0" }.prefix(Self.mostWords).map(String.init)
            .filter { $0.contains { $0.isLetter || $0.isNumber } }
        if words.isEmpty { return nil }
    }

    /// The index is one for all domains; each row bears its domain as a word, so that looking in
    /// one domain costs nothing for what others hold.
    package static func scope(of domain: Int64) -> String {
        "d\(domain)"
    }

    package func expression(in domain: Int64) -> String {
        let wanted = words.map { word in
            "\"" + Self.quotesDoubled(in: word) + "\" *"
        }
        return "scope : \"\(Self.scope(of: domain))\" AND {name tags} : ("
            + wanted.joined(separator: " AND ") + ")"
    }

    /// Scalar by scalar: a mark beside a quote makes another character of both, and SQLite still sees
    /// the quote.
    private static func quotesDoubled(in word: String) -> String {
        var doubled = String.UnicodeScalarView()
        for scalar in word.unicodeScalars {
            if scalar == "\"" { doubled.append(scalar) }
            doubled.append(scalar)
        }
        return String(doubled)
    }
}
