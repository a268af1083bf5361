import Testing

@testable import FileProviderRules

@Suite("A regular expression")
struct BoundedRegexTests {
    @Test(
        "is held against the whole text",
        arguments: [
            ("abc", ["abc"], ["ab", "abcd", "xabc"]), ("", [""], ["a"]),
            ("a|bc", ["a", "bc"], ["ac", "abc"]), ("a||b", ["a", "", "b"], ["ab"]),
            ("a*", ["", "a", "aaa"], ["ab"]), ("a+", ["a", "aa"], [""]),
            ("a?b", ["ab", "b"], ["aab"]),
            ("a{2}", ["aa"], ["a", "aaa"]), ("a{2,}", ["aa", "aaaa"], ["a"]),
            ("a{1,3}", ["a", "aaa"], ["", "aaaa"]), ("a{0}b", ["b"], ["ab"]),
            ("a*?b+?", ["ab", "bb"], ["a"]), ("(ab)+", ["ab", "abab"], ["aba"]),
            ("(?:a|b)*c", ["c", "abac"], ["ab"]), ("(a*)*", ["", "aaa"], ["b"]),
            ("(a|b*)*c", ["c", "abbac"], ["d"]), ("^a$", ["a"], ["ab"]), ("a^b", [], ["ab", "a"]),
            (".", ["a", "😀"], ["", "\n", "ab"]), ("[a-c]", ["a", "c"], ["d", "-"]),
            ("[^a-c]", ["d", "\n"], ["b"]), ("[]a]", ["]", "a"], ["b"]),
            ("[a-]", ["-", "a"], ["b"]),
            ("[\\]\\\\]", ["]", "\\"], ["["]), ("[\\d_]", ["1", "_"], ["a"]),
            ("\\d+", ["12", "٣"], ["a"]), ("\\D", ["a"], ["1"]), ("\\w", ["ä", "_", "1"], ["-"]),
            ("\\W", ["-"], ["a"]), ("\\s", [" ", "\t"], ["a"]), ("\\S", ["a"], [" "]),
            ("\\.\\*\\/", [".*/"], ["a"]), ("\\t\\n\\r", ["\t\n\r"], ["t"]), ("a]}", ["a]}"], []),
            ("é", ["e\u{301}", "é"], ["e"]),
        ])
    func expressions(pattern: String, found: [String], passedOver: [String]) throws {
        let expression = try BoundedRegex(pattern, [])
        for text in found { #expect(expression.matches(text), "\(pattern) and \(text)") }
        for text in passedOver { #expect(!expression.matches(text), "\(pattern) and \(text)") }
    }

    @Test("overlooks case and accents where that is asked for")
    func options() throws {
        #expect(try BoundedRegex("Straße[X-Z]?", .ignoringCase).matches("STRASSEy"))
        #expect(try BoundedRegex("[^A]", .ignoringCase).matches("a") == false)
        #expect(try BoundedRegex("re.ume", [.ignoringCase, .ignoringMarks]).matches("RÉSUMÉ"))
        #expect(try BoundedRegex("résumé", .ignoringMarks).matches("resume"))
    }

    @Test(
        "is refused with a reason where it cannot be run in the time of the text's length",
        arguments: [
            ("(", .open("(")), ("[a", .open("[")), ("a\\", .open("\\")), (")", .unopenedGroup),
            ("*a", .nothingToRepeat), ("a**", .nothingToRepeat), ("a{2}{3}", .nothingToRepeat),
            ("(|+)", .nothingToRepeat), ("a{", .badRepetition), ("a{x}", .badRepetition),
            ("a{3,2}", .badRepetition), ("a{1001}", .badRepetition), ("{2}", .badRepetition),
            ("[b-a]", .badRange), ("\\q", .unknownEscape("q")), ("\\0", .unknownEscape("0")),
            ("(a)\\1", .notTaken("'\\1', what a group took before,")),
            ("(?=a)", .notTaken("'(?=', a group with conditions or names,")),
            ("(?<n>a)", .notTaken("'(?<', a group with conditions or names,")),
            ("a++", .notTaken("a repetition that keeps what it took ('++')")),
            ("\\bа", .notTaken("'\\b', the edge of a word,")),
            ("[[a]]", .notTaken("a set inside of a set ('[' in brackets)")),
            ("[a&&b]", .notTaken("what sets have in common ('&&' in brackets)")),
            ("(a{1000}){1000}", .tooLarge(limit: 2_000)),
            ("((a{50}){50}){50}", .tooLarge(limit: 2_000)),
            ("(((){1000}){1000}){1000}", .tooLarge(limit: 2_000)),
            (String(repeating: "a?", count: 3_000), .tooLarge(limit: 2_000)),
            (String(repeating: "(", count: 5_000), .tooDeep(limit: 30)),
        ] as [(String, RegexFlaw)])
    func flaws(pattern: String, flaw: RegexFlaw) {
        #expect(throws: flaw) { try BoundedRegex(pattern, []) }
        #expect(!flaw.message.isEmpty)
    }

    @Test("takes no longer for what others take for ever", .timeLimit(.minutes(60)))
    func linear() throws {
        let text = String(repeating: "a", count: 5_000)
        for pattern in ["(a*)*b", "(a|a)*b", "(a?){30}a{30}b", "(.*)(.*)(.*)(.*)(.*)b"] {
            #expect(try !BoundedRegex(pattern, []).matches(text))
        }
    }
}
