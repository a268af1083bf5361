import BasketSupport
import Testing

@testable import FileProviderRules

@Suite("An ignore list")
struct IgnoreListTests {
    /// Of the line that ignores or lifts, or nil.
    private func line(
        _ patterns: String, _ path: String, isFolder: Bool = false, rule: CaseRule = .posix
    ) -> (line: Int, isIgnored: Bool)? {
        var rules = IgnoreRules(caseRule: rule)
        rules.setList(IgnoreList(patterns: patterns, caseRule: rule), in: [])
        let components = path.split(separator: "/").map(String.init)
        switch rules.verdict(path: components, isFolder: isFolder) {
        case .ignored(let reason): return (reason.line, true)
        case .kept(let reason?): return (reason.line, false)
        case .kept: return nil
        }
    }

    /// Each was compared with what git 2.39 says, but for the last row of letters beyond ASCII,
    /// which git takes for several.
    @Test(
        "finds what gitignore's syntax names",
        arguments: [
            ("a", ["a", "x/a", "a/x"], ["b", "ab", "x/ba"]),
            ("/a", ["a", "a/x"], ["x/a"]),
            ("x/a", ["x/a", "x/a/b"], ["a", "y/x/a", "x"]),
            ("/x/a", ["x/a"], ["y/x/a"]),
            ("*.o", ["a.o", ".o", "x/a.o", "a.b.o"], ["a.oo", "ao"]),
            ("a*", ["a", "ab", "x/abc"], ["ba"]),
            ("*a*", ["a", "bab", "ab", "ba"], ["b"]),
            ("a*b*c", ["abc", "axbxc", "abbcc"], ["ab", "acb", "abcd"]),
            ("x/*", ["x/a", "x/a/b"], ["x", "y/x/a"]),
            ("x/*.o", ["x/a.o"], ["x/y/a.o", "a.o"]),
            ("x*y/a", ["xy/a", "xzy/a"], ["x/y/a"]),
            ("**/a", ["a", "x/a", "x/y/a"], ["ab"]),
            ("x/**", ["x/a", "x/a/b"], ["x", "y/x"]),
            ("/**", ["a", "x/a"], []),
            ("x/**/a", ["x/a", "x/y/a", "x/y/z/a"], ["xa", "x/ya", "y/x/a"]),
            ("x/**/**/a", ["x/a", "x/y/a"], ["x/ya"]),
            ("**/x/**/a", ["x/a", "y/x/a", "y/x/z/a"], ["y/xa"]),
            ("**", ["a", "x/a"], []),
            ("***", ["a", "x/a"], []),
            ("x**y", ["xy", "xzy"], ["xz"]),
            ("?", ["a", "x/b"], ["ab"]),
            ("a?b", ["axb"], ["ab", "axxb"]),
            ("x?a", ["xya"], ["x/a"]),
            ("x[/]a", [], ["x/a", "x[/]a"]),
            ("[ab]", ["a", "b", "x/a"], ["c", "ab", "[ab]"]),
            ("[a-c]x", ["ax", "cx"], ["dx", "x"]),
            ("[!a-c]x", ["dx"], ["ax", "x"]),
            ("[^a]", ["b"], ["a"]),
            ("[]a]", ["]", "a"], ["b"]),
            ("[!]a]", ["b"], ["]", "a"]),
            ("[a-]", ["a", "-"], ["b"]),
            ("[\\]a]", ["]", "a"], ["\\"]),
            ("[[:digit:]x]", ["1", "x"], ["a", ":"]),
            ("[[a]", ["[", "a"], ["b"]),
            ("\\*", ["*"], ["a"]),
            ("\\#a", ["#a"], ["a"]),
            ("\\!a", ["!a"], ["a"]),
            ("a#b", ["a#b"], ["a"]),
            ("a ", ["a"], ["a "]),
            ("a\\ ", ["a "], ["a"]),
            ("a\\  ", ["a "], ["a", "a  "]),
            ("a b", ["a b"], ["a", "b"]),
            ("\ta", ["\ta"], ["a"]),
            (".*", [".a", "x/.b"], ["a"]),
            ("a//b", [], ["a/b"]),
            ("ä?[à-ü]*", ["äöü", "äöüß"], ["äö", "aöü"]),
            ("?", ["ä", "😀"], ["ää"]),
        ])
    func patterns(pattern: String, found: [String], passedOver: [String]) {
        for path in found {
            #expect(line(pattern, path)?.isIgnored == true, "\(pattern) and \(path)")
        }
        for path in passedOver {
            #expect(line(pattern, path) == nil, "\(pattern) and \(path)")
        }
    }

    @Test(
        "finds only folders, and what is in them, where a pattern ends in a slash",
        arguments: ["x/", "/x/", "**/x/", "[x]/"])
    func folders(pattern: String) {
        #expect(line(pattern, "x") == nil)
        #expect(line(pattern, "x", isFolder: true)?.isIgnored == true)
        #expect(line(pattern, "x/a")?.isIgnored == true)
    }

    @Test("has the last line decide")
    func lastLine() {
        let list = "*.log\n!keep.log\n\n# again\nkeep.*\n!keep.txt"

        #expect(line(list, "a.log").map { [$0.line] } == [1])
        #expect(line(list, "keep.log").map { [$0.line] } == [5])
        #expect(line(list, "keep.txt")?.isIgnored == false)
        #expect(line("!*.log\n/x/a.log", "x/a.log")?.isIgnored == true)
        #expect(line("/x/a.log\n!*.log", "x/a.log")?.isIgnored == false)
    }

    @Test("lifts nothing in a folder that is ignored itself")
    func parents() {
        #expect(line("x/\n!x/a", "x/a")?.line == 1)
        #expect(line("x/*\n!x/a", "x/a")?.isIgnored == false)
        #expect(line("x/*\n!x/a", "x/b")?.isIgnored == true)
    }

    @Test("is the same with the ends of lines that Windows writes, and a mark at its beginning")
    func lineEnds() {
        #expect(line("\u{FEFF}a\r\nb \r\n", "a")?.line == 1)
        #expect(line("\u{FEFF}a\r\nb \r\n", "b")?.line == 2)
        // One character to Swift, two lines to everybody else.
        #expect(line("a\n\u{301}b", "a")?.line == 1)
    }

    @Test("compares names as its domain does")
    func caseRules() {
        #expect(line("*.JPG", "a.jpg") == nil)
        #expect(line("*.JPG", "a.jpg", rule: .portable)?.isIgnored == true)
        #expect(line("Ü*", "u\u{308}x", rule: .portable)?.isIgnored == true)
        #expect(line("stra[SX]se", "STRAßE", rule: .portable)?.isIgnored == true)
        #expect(line("[A-C]", "b", rule: .portable)?.isIgnored == true)
        #expect(line("[!A-C]", "b", rule: .portable) == nil)
        #expect(line("[à-ü]", "Ö", rule: .portable)?.isIgnored == true)
        #expect(line("Build/Out", "build/OUT", rule: .portable)?.isIgnored == true)
    }

    @Test(
        "passes over a line that it does not understand, and says which",
        arguments: [
            ("[ab", .openBracket), ("[]", .openBracket), ("a[!", .openBracket),
            ("[[:alpha:", .openBracket), ("[[:word:]]", .unknownClass("word")),
            ("[b-a]", .badRange), ("a\\", .danglingEscape), ("a\\/", .danglingEscape),
            ("[\\", .danglingEscape), ("/", .namesNothing), ("!", .namesNothing),
            ("!/", .namesNothing), ("//", .namesNothing),
            (String(repeating: "a", count: 1_025), .tooLong(limit: 1_024)),
        ] as [(String, IgnoreProblem)])
    func flaws(pattern: String, problem: IgnoreProblem) {
        let list = IgnoreList(patterns: "# first\n\(pattern)\nb", caseRule: .posix)

        #expect(list.flaws == [IgnoreFlaw(line: 2, problem: problem)])
        #expect(line("# first\n\(pattern)\nb", "b")?.line == 3)
    }

    @Test("ends at its limits, and says so")
    func limits() {
        let many = IgnoreList(
            patterns: String(repeating: "a\n", count: 4_097) + "b", caseRule: .posix)
        #expect(
            many.flaws == [IgnoreFlaw(line: 4_097, problem: .tooManyPatterns(limit: 4_096))])
        let long = IgnoreList(
            patterns: String(repeating: "# x\n", count: 65_537), caseRule: .posix)
        #expect(long.flaws == [IgnoreFlaw(line: 1, problem: .listTooLong(limit: 262_144))])
    }
}
