import BasketSupport
import Testing

@testable import FileProviderRules

@Suite("docs/rules.md")
struct RulesPageTests {
    private static let page =
        LinuxFileSystem.folder(
            of: LinuxFileSystem.folder(of: LinuxFileSystem.folder(of: #filePath)))
        + "/docs/rules.md"

    /// What stands between lines of three backticks.
    private func blocks() throws -> [String] {
        let bytes = try LinuxFileSystem().contents(of: Self.page)
        let lines = String(decoding: bytes, as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false)
        return lines.split(separator: "```", omittingEmptySubsequences: false)
            .enumerated().filter { $0.offset % 2 == 1 }
            .map { $0.element.joined(separator: "\n") }
    }

    @Test("shows an ignore list that does what it says")
    func ignoreList() throws {
        let list = IgnoreList(patterns: try blocks()[0], caseRule: .posix)
        #expect(list.flaws.isEmpty)
        var rules = IgnoreRules(caseRule: .posix)
        rules.setList(list, in: [])
        for (path, isIgnored) in [
            ("src/a.o", true), ("src/build/a", true), ("cache/a", true), ("src/cache/a", false),
            ("cache/settings.json", false), ("docs/a/b/c.html", true), ("docs/c.html", true),
        ] {
            let components = path.split(separator: "/").map(String.init)
            #expect(
                rules.verdict(path: components, isFolder: false).isIgnored == isIgnored, "\(path)")
        }
    }

    @Test("names every line of the built-in lists")
    func builtInLists() throws {
        let bytes = try LinuxFileSystem().contents(of: Self.page)
        let page = String(decoding: bytes, as: UTF8.self)
        let lines = (BuiltInIgnoreLists.folderPatterns + "\n" + BuiltInIgnoreLists.filePatterns)
            .split(separator: "\n")
        // Those with brackets and backslashes are told in words.
        for line in lines where !line.hasPrefix("#") && !line.contains("[") && !line.contains("\\")
        {
            let shown = line == "*~" ? "name~" : line
            #expect(page.contains("`\(shown)`"), "\(line)")
        }
    }

    @Test("shows rules that are taken")
    func rules() throws {
        let rules = try blocks()[1].split(separator: "\n\n")
        #expect(rules.count == 3)
        for rule in rules { #expect(throws: Never.self) { try ActivationRule(String(rule)) } }
    }

    @Test("shows what is said about a rule that is not taken")
    func refusal() throws {
        let block = try blocks()[2]
        let rule = try #require(block.split(separator: "\n").dropFirst().first)
        let error = #expect(throws: RuleError.self) { try ActivationRule(String(rule)) }
        #expect(error?.message == block)
    }
}
