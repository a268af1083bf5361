import BasketSupport

/// Why a rule is not taken, and where.
package struct RuleError: ReportableError, Equatable, Sendable {
    package let problem: RuleProblem
    /// Both count from one, the column in characters as people see them.
    package let line: Int
    package let column: Int
    /// The line with what is before and behind the place, as far as it fits, and a caret below.
    package let excerpt: String

    /// What of a line is shown on each side of the place.
    private static let mostShown = 36

    init(_ problem: RuleProblem, at offset: Int, in scalars: [Unicode.Scalar]) {
        self.problem = problem
        let before = scalars[..<offset]
        let start = before.lastIndex(of: "\n").map { $0 + 1 } ?? 0
        let end = scalars[offset...].firstIndex(of: "\n") ?? scalars.count
        line = before.count { $0 == "\n" } + 1
        let left = Self.shown(scalars[start..<offset])
        let right = Self.shown(scalars[offset..<end])
        column = left.count + 1
        let shownLeft = left.count <= Self.mostShown ? left : "…" + left.suffix(Self.mostShown)
        let shownRight =
            right.count <= Self.mostShown ? right : right.prefix(Self.mostShown) + "…"
        excerpt =
            shownLeft + shownRight + "\n" + String(repeating: " ", count: shownLeft.count) + "^"
    }

    package var code: String { problem.code }

    package var message: String {
        "line \(line), column \(column): \(problem.message)\n\(excerpt)"
    }

    /// A terminal must not obey what a rule holds, and the caret must stay in its column.
    private static func shown(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        var text = String.UnicodeScalarView()
        for scalar in scalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned:
                text.append(" ")
            default: text.append(scalar)
            }
        }
        return String(text)
    }
}
