import BasketSupport
import Testing

@testable import FileProviderRules

@Suite("A rule that is not taken")
struct RuleErrorTests {
    private func refusal(of text: String) -> RuleError? {
        #expect(throws: RuleError.self) { try ActivationRule(text) }
    }

    @Test(
        "points at what is wrong",
        arguments: [
            ("", .empty, 1), ("   ", .empty, 4), ("a", .conditionExpected, 1),
            ("1 == 1 AND isShared", .conditionExpected, 12),
            ("(isShared)", .conditionExpected, 1), ("NOT a", .conditionExpected, 5),
            ("a HAS 3", .operatorExpected(found: "'HAS'"), 3),
            ("(a HAS 3)", .operatorExpected(found: "'HAS'"), 4),
            ("ANY a", .operatorExpected(found: "the end"), 6),
            ("a ==", .valueExpected(found: "the end"), 5),
            ("a == AND b == 1", .valueExpected(found: "'AND'"), 6),
            ("a == 1 b == 2", .connectiveExpected(found: "'b'"), 8),
            ("a == 1 == 2", .connectiveExpected(found: "'=='"), 8),
            ("a == 1)", .connectiveExpected(found: "')'"), 7),
            ("(a == 1", .expected(")", found: "the end"), 8),
            ("a == (1 == 1)", .conditionAsValue, 6), ("ANY (1 == 1)", .conditionAsValue, 5),
            ("(1 == 1) + 2 == 3", .conditionAsValue, 1),
            ("a ~ 1", .unexpectedCharacter("~"), 3), ("a := 1", .unexpectedCharacter(":"), 3),
            ("a == 'x", .openString, 6), ("a == 'x\\'", .openString, 6),
            ("a MATCHES '\\d'", .unknownEscape("d"), 12), ("a == '\\u12'", .unknownEscape("u"), 7),
            ("a == '\\uD800'", .unknownEscape("u"), 7), ("a == '\\", .unknownEscape(""), 7),
            ("a == 12abc", .badNumber("12abc"), 6), ("a == 0x", .badNumber("0x"), 6),
            ("a == 1e999", .badNumber("1e999"), 6), ("a == 1e", .badNumber("1e"), 6),
            ("a == 0xFFFFFFFFFFFFFFFFF", .badNumber("0xFFFFFFFFFFFFFFFFF"), 6),
            ("a == %@", .placeholder, 6), ("%K == 1", .placeholder, 1),
            ("a. == 1", .badKey, 4), ("# == 1", .badKey, 1), ("a == $", .badKey, 6),
            ("a CONTAINS[x] 'b'", .unknownTextOption("x"), 12),
            ("a CONTAINS[] 'b'", .unknownTextOption(""), 12),
            ("a BETWEEN[c] {1, 2}", .noTextOptions, 3), ("a BETWEEN {1}", .twoBoundsExpected, 11),
            ("$x.a == 1", .unknownVariable("x"), 1),
            ("SUBQUERY(a, $x, $y == 1).@count > 0", .unknownVariable("y"), 17),
            ("SUBQUERY(a, $x, $x == 1).@count > $x", .unknownVariable("x"), 35),
            ("SUBQUERY(a, x, TRUEPREDICATE).@count > 0", .expected("$name", found: "'x'"), 13),
            ("SUBQUERY(a, $x).@count > 0", .expected(",", found: "')'"), 15),
            ("SUBQUERY(a, $x, $x).@count > 0", .conditionExpected, 17),
            ("FUNCTION(a, 'b') == 1", .notTaken("the function 'FUNCTION'"), 1),
            ("a > CAST(1, 'NSDate')", .notTaken("the function 'CAST'"), 5),
            ("a.@distinctUnionOfObjects.b == 1", .notTaken("'@distinctUnionOfObjects'"), 3),
            ("a.@sum > 1", .expected(".", found: "'>'"), 8), ("a.@sum. > 1", .badKey, 9),
            ("a[x] == 1", .expected("FIRST, LAST, SIZE or a number", found: "'x'"), 3),
            ("a IN {1,", .valueExpected(found: "the end"), 9),
            ("a IN {1 2}", .expected(",", found: "a number"), 9),
            ("a MATCHES '('", .badPattern(.open("(")), 11),
        ] as [(String, RuleProblem, Int)])
    func problems(text: String, problem: RuleProblem, column: Int) throws {
        let error = try #require(refusal(of: text))
        #expect(error.problem == problem)
        #expect(error.line == 1)
        #expect(error.column == column)
        #expect(!error.code.isEmpty && error.message.hasPrefix("line 1, column \(column): "))
    }

    @Test("shows the line and a caret below the place")
    func excerpt() throws {
        let error = try #require(refusal(of: "action == 'Move' AND\n  ä.b HAS 3\nAND c == 1"))
        #expect(error.line == 2 && error.column == 7)
        #expect(
            error.message == """
                line 2, column 7: an operator such as == or CONTAINS is expected, and here is 'HAS'.
                  ä.b HAS 3
                      ^
                """)
    }

    @Test("shows a part of a long line, and nothing that a terminal obeys")
    func longLine() throws {
        let long = String(repeating: "a == 1 AND ", count: 50)
        let error = try #require(refusal(of: long + "b HAS 1 AND " + long))
        let lines = error.excerpt.split(separator: "\n")
        #expect(lines[0].count < 80)
        #expect(lines[1].count == lines[0].prefix { $0 != "H" }.count + 1)

        let hostile = try #require(refusal(of: "\u{1B}[31m\u{202E} a HAS 1"))
        #expect(!hostile.excerpt.unicodeScalars.contains("\u{1B}"))
        #expect(!hostile.excerpt.unicodeScalars.contains("\u{202E}"))
    }

    @Test("is one that is too long, or too deep")
    func limits() throws {
        let deep = [
            String(repeating: "(", count: 8_000), String(repeating: "NOT ", count: 4_000),
            "a == " + String(repeating: "-", count: 8_000),
            "a == " + String(repeating: "{", count: 8_000),
            String(repeating: "SUBQUERY(a, $x, ", count: 1_000),
            String(repeating: "((a + ", count: 2_000),
        ]
        for text in deep { #expect(refusal(of: text)?.problem == .tooDeep(limit: 40)) }
        #expect(
            refusal(of: String(repeating: " ", count: 16_385))?.problem == .tooLong(limit: 16_384))

        let nested =
            String(repeating: "(", count: 39) + "1 == 1" + String(repeating: ")", count: 39)
        #expect(
            try ActivationRule("NOT \(nested)").holds(for: [:] as [String: PredicateValue]) == false
        )
    }

    @Test("is none that is long and flat", .timeLimit(.minutes(60)))
    func flat() throws {
        let object: [String: PredicateValue] = ["a": .integer(1)]
        let rules = [
            String(repeating: "a == 1 AND ", count: 1_400) + "a == 1",
            String(repeating: "a == 2 OR ", count: 1_400) + "a == 1",
            String(repeating: "a + ", count: 4_000) + "0 == 4000",
            "a" + String(repeating: ".b", count: 8_000) + " == nil",
            "a IN {" + String(repeating: "2,", count: 8_000) + "1}",
        ]
        for rule in rules { #expect(try ActivationRule(rule).holds(for: object)) }
    }

    @Test("is not fulfilled when it would take for ever", .timeLimit(.minutes(60)))
    func endless() throws {
        let element: [String: PredicateValue] = [
            "name": .string(String(repeating: "a", count: 200))
        ]
        let object: [String: PredicateValue] = [
            "items": .list(Array(repeating: .object(element), count: 1_000))
        ]
        let cubic =
            "SUBQUERY(items, $x, SUBQUERY(items, $y, SUBQUERY(items, $z, $z.name == $y.name)"
        let rules = [
            cubic + ".@count > 0).@count > 0).@count > 0",
            "NOT (" + cubic + ".@count > 0).@count > 0).@count < 0)",
            "NOT ANY items.name MATCHES '(a*)*b|((a|a)*c){1,30}d'",
        ]
        for rule in rules { #expect(try !ActivationRule(rule).holds(for: object)) }
    }
}
