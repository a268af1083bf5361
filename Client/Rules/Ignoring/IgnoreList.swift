import BasketSupport

/// What a `.basketignore` says, in the syntax of gitignore, about the folder that it lies in.
///
/// A line that cannot be understood is passed over and kept as a flaw, for people to read: one
/// wrong line must not stop a folder from being synchronised.
package struct IgnoreList: Sendable {
    /// What people write has some dozens of lines.
    package static let mostBytes = 256 * 1024
    package static let mostPatterns = 4_096

    package let caseRule: CaseRule
    package let flaws: [IgnoreFlaw]
    private let names: IgnorePatternSet
    private let paths: IgnorePatternSet

    /// - Parameter caseRule: that of the domain, since it says which names are the same.
    package init(patterns text: String, caseRule: CaseRule) {
        self.caseRule = caseRule
        var patterns: [IgnorePattern] = []
        var flaws: [IgnoreFlaw] = []
        let isTooLong = text.utf8.count > Self.mostBytes
        if isTooLong {
            flaws.append(IgnoreFlaw(line: 1, problem: .listTooLong(limit: Self.mostBytes)))
        }
        for (index, line) in (isTooLong ? [] : Self.lines(of: text)).enumerated() {
            do throws(IgnoreProblem) {
                let pattern = try IgnorePatternParser.pattern(
                    in: line, number: index + 1, caseRule)
                guard let pattern else { continue }
                guard patterns.count < Self.mostPatterns else {
                    throw .tooManyPatterns(limit: Self.mostPatterns)
                }
                patterns.append(pattern)
            } catch {
                flaws.append(IgnoreFlaw(line: index + 1, problem: error))
                if error == .tooManyPatterns(limit: Self.mostPatterns) { break }
            }
        }
        self.flaws = flaws
        names = IgnorePatternSet(patterns.filter { !$0.isPath })
        paths = IgnorePatternSet(patterns.filter { $0.isPath })
    }

    /// By the byte: a line's end and what follows it can be one character.
    private static func lines(of text: String) -> [Substring] {
        let mark: Unicode.Scalar = "\u{FEFF}"
        let scalars =
            text.unicodeScalars.first == mark
            ? text.unicodeScalars.dropFirst() : text.unicodeScalars[...]
        return scalars.split(separator: "\n", omittingEmptySubsequences: false).map(Substring.init)
    }

    var isEmpty: Bool { names.isEmpty && paths.isEmpty }

    /// The line that decides, or nil. Both texts are as the case rule compares them.
    /// - Parameter path: from the list's folder.
    func line(
        matching name: ArraySlice<UInt8>, path: ArraySlice<UInt8>, isFolder: Bool
    ) -> IgnorePattern? {
        let byName = names.last(matching: name, isFolder: isFolder)
        if paths.isEmpty { return byName }
        return paths.last(matching: path, isFolder: isFolder, behind: byName?.line ?? 0) ?? byName
    }
}
