/// The name of a file that keeps one side of a conflict: `report (conflict from laptop
/// 2026-11-21).odt`.
package struct ConflictName: Sendable {
    package let text: String

    package init(_ name: String, origin: String, day: String, rule: CaseRule) {
        let dot = name.lastIndex(of: ".").flatMap { $0 > name.startIndex ? $0 : nil }
        let stem = dot.map { String(name[..<$0]) } ?? name
        let suffix = dot.map { String(name[$0...]) } ?? ""
        // The device's name is a person's choice, and may hold what a file name must not.
        let forbidden = Set("/\0<>:\"\\|?*()".unicodeScalars)
        var clean = String.UnicodeScalarView()
        for scalar in origin.unicodeScalars.prefix(40) {
            clean.append(scalar.value < 0x20 || forbidden.contains(scalar) ? "-" : scalar)
        }
        let note = " (conflict from \(String(clean)) \(day))"
        var head = stem
        while head.utf8.count + note.utf8.count + suffix.utf8.count > CaseRule.longestName,
            !head.isEmpty
        {
            head.removeLast()
        }
        let candidate = head + note + suffix
        text =
            rule.problem(with: candidate) == nil ? candidate : "conflict \(day)"
    }
}
