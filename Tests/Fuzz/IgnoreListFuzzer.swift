import BasketSupport
import FileProviderRules

/// A path in the first line, and an ignore list in the others: each line says something or is named
/// as wrong, and what decides is a line of the list.
enum IgnoreListFuzzer: Fuzzer {
    static let name = "ignore-list"

    static func feed(_ bytes: [UInt8]) throws(FuzzFinding) {
        let parts = bytes.split(
            separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
        let path = String(decoding: parts[0], as: UTF8.self).unicodeScalars
            .split(separator: "/").map(String.init)
        let text = String(decoding: parts.dropFirst().first ?? [], as: UTF8.self)
        for rule in CaseRule.allCases {
            let list = IgnoreList(patterns: text, caseRule: rule)
            for isFolder in [false, true] {
                try check(list, text, path, isFolder: isFolder)
            }
            guard !path.isEmpty else { continue }
            try checkEnding(text, "*", path, isIgnored: true, like: list)
            try checkEnding(text, "!*", path, isIgnored: false, like: list)
        }
    }

    private static func check(
        _ list: IgnoreList, _ text: String, _ path: [String], isFolder: Bool
    ) throws(FuzzFinding) {
        var rules = IgnoreRules(caseRule: list.caseRule)
        rules.setList(list, in: [])
        let reason: IgnoreReason
        switch rules.verdict(path: path, isFolder: isFolder) {
        case .ignored(let found): reason = found
        case .kept(let found?): reason = found
        case .kept: return
        }
        guard reason.place == .folder([]) else { return }
        let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        guard (1...lines.count).contains(reason.line),
            !list.flaws.contains(where: { $0.line == reason.line }),
            String(lines[reason.line - 1]).unicodeScalars.starts(
                with: reason.pattern.unicodeScalars) || reason.line == 1,
            path.starts(with: reason.path)
        else { throw FuzzFinding("\(path) is decided \(reason.description) of '\(text)'") }
    }

    /// The last line decides, whatever stands before it.
    private static func checkEnding(
        _ text: String, _ last: String, _ path: [String], isIgnored: Bool, like list: IgnoreList
    ) throws(FuzzFinding) {
        let longer = IgnoreList(patterns: "\(text)\n\(last)", caseRule: list.caseRule)
        // Behind the last pattern that a list takes, none decides.
        for flaw in longer.flaws {
            switch flaw.problem {
            case .tooManyPatterns, .listTooLong: return
            default: continue
            }
        }
        guard longer.flaws == list.flaws else {
            throw FuzzFinding("'\(last)' behind '\(text)' makes something wrong")
        }
        var rules = IgnoreRules(caseRule: list.caseRule)
        rules.setList(longer, in: [])
        guard rules.verdict(path: path, isFolder: false).isIgnored == isIgnored else {
            throw FuzzFinding("'\(last)' behind '\(text)' does not decide about \(path)")
        }
    }
}
