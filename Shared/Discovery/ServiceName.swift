/// A server's name as a network can be told it: some text of at most 63 bytes, which is what DNS has room for.
package struct ServiceName: Sendable, Equatable {
    package static let mostBytes = 63
    /// What a server is called that has no name worth telling.
    private static let other = "Basket"

    package let text: String

    /// What does not fit is left out, at the end, and never in the middle of a character.
    package init(_ name: String) {
        let shown = name.unicodeScalars.filter { $0.properties.generalCategory != .control }
        let text = Self.beginning(of: String(String.UnicodeScalarView(shown)), Self.mostBytes)
        let trimmed = text.drop(while: \.isWhitespace)
        self.text = trimmed.isEmpty ? Self.other : String(trimmed)
    }

    /// As much of a text as fits into so many bytes.
    static func beginning(of text: String, _ most: Int) -> String {
        guard text.utf8.count > most else { return text }
        var kept = ""
        var count = 0
        for character in text {
            count += character.utf8.count
            if count > most { break }
            kept.append(character)
        }
        return kept
    }
}
