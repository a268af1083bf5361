/// The name of a file that keeps what would be lost under its own: `report (conflict from laptop
/// 2026-11-21).odt`.
package struct ConflictName: Sendable {
    package let text: String

    package init(_ name: String, origin: String, day: String, rule: CaseRule) {
        // The device's name is a person's choice, and may hold what a file name must not.
        let forbidden = Set("/\0<>:\"\\|?*()".unicodeScalars)
        var clean = String.UnicodeScalarView()
        for scalar in origin.unicodeScalars.prefix(40) {
            clean.append(scalar.value < 0x20 || forbidden.contains(scalar) ? "-" : scalar)
        }
        self.init(
            name, note: "conflict from \(String(clean)) \(day)", alone: "conflict \(day)",
            rule: rule)
    }

    /// What is left of a file whose last bytes a crash of the machine took.
    package init(_ name: String, damagedOn day: String, rule: CaseRule) {
        self.init(name, note: "damaged \(day)", alone: "damaged \(day)", rule: rule)
    }

    /// What was there before that, where nobody knows whether the last has come to the provider.
    package init(_ name: String, recoveredOn day: String, rule: CaseRule) {
        self.init(name, note: "recovered \(day)", alone: "recovered \(day)", rule: rule)
    }

    private init(_ name: String, note words: String, alone: String, rule: CaseRule) {
        let dot = name.lastIndex(of: ".").flatMap { $0 > name.startIndex ? $0 : nil }
        let stem = dot.map { String(name[..<$0]) } ?? name
        let suffix = dot.map { String(name[$0...]) } ?? ""
        let note = " (\(words))"
        var head = stem
        while head.utf8.count + note.utf8.count + suffix.utf8.count > CaseRule.longestName,
            !head.isEmpty
        {
            head.removeLast()
        }
        let candidate = head + note + suffix
        text = rule.problem(with: candidate) == nil ? candidate : alone
    }
}
