import FileProviderRules

/// Rules that extensions declare: one that is taken comes to an answer, and to the same in
/// parentheses; one that is not says where in the text.
enum ActivationRuleFuzzer: Fuzzer {
    static let name = "activation-rule"

    static func feed(_ bytes: [UInt8]) throws(FuzzFinding) {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let rule = try rule(text) else { return }
        let holds = rule.holds(for: action)
        // In parentheses it can be too deep, or too long.
        if let same = try self.rule("(\(text)\n)"), same.holds(for: action) != holds {
            throw FuzzFinding("'\(text)' is another rule in parentheses")
        }
        // Neither may hold, when both take too many steps.
        if holds, let opposite = try self.rule("NOT (\(text)\n)"), opposite.holds(for: action) {
            throw FuzzFinding("'\(text)' holds, and so does its opposite")
        }
    }

    private static func rule(_ text: String) throws(FuzzFinding) -> ActivationRule? {
        do {
            return try ActivationRule(text)
        } catch {
            let lines = text.unicodeScalars.split(
                separator: "\n", omittingEmptySubsequences: false)
            guard (1...lines.count).contains(error.line) else {
                throw FuzzFinding("'\(text)' is wrong in line \(error.line) of \(lines.count)")
            }
            let shown = error.excerpt.split(separator: "\n", omittingEmptySubsequences: false)
            guard shown.count == 2, shown[0].count < 80, shown[1].last == "^",
                (1...shown[0].count + 1).contains(shown[1].count),
                (1...lines[error.line - 1].count + 1).contains(error.column)
            else {
                throw FuzzFinding("'\(text)' is shown as:\n\(error.excerpt)")
            }
            return nil
        }
    }

    /// Three items of every kind of value, as in a selection.
    private static var action: [String: PredicateValue] {
        let userInfo: [String: PredicateValue] = [
            "a": .integer(1), "b": .string("é*"), "c": .real(-0.5), "d": .null,
        ]
        let items = (0..<3).map { number -> PredicateValue in
            .object(
                [
                    "a": .integer(number), "b": .bool(number == 1), "f": .string("File \(number)"),
                    "u": .object(userInfo), "l": .list([.integer(number), .string("x")]),
                ] as [String: PredicateValue])
        }
        return [
            "i": .list(items), "a": .string("Move"), "n": .integer(.max), "t": .data([1]),
            "s": items[0], "e": .list([]), "fileproviderItems": .list(items),
        ]
    }
}
