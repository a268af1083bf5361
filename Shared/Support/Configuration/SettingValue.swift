/// What a setting may hold: something that is written in one line of text, in a flag, an
/// environment variable or a file alike.
package protocol SettingValue: Sendable, Equatable {
    /// Reads a value. The error completes the sentence "'…' is not …": `a number from 1 to 64`.
    static func read(_ text: String) throws(SettingMismatch) -> Self
    /// The value as it would be written.
    var settingText: String { get }
    /// Stands for a value in the help: `ADDR:PORT`. Nil for what is switched on and off.
    static var placeholder: String? { get }
    /// Whether several lines or flags add up to one value.
    static var accumulates: Bool { get }
}

extension SettingValue {
    package static var accumulates: Bool { false }
}

extension Bool: SettingValue {
    package static var placeholder: String? { nil }

    package static func read(_ text: String) throws(SettingMismatch) -> Bool {
        switch text {
        case "true", "yes", "on", "1": return true
        case "false", "no", "off", "0": return false
        default: throw SettingMismatch(expected: "one of yes, no, true, false, on, off")
        }
    }

    package var settingText: String { self ? "yes" : "no" }
}

extension Int: SettingValue {
    package static var placeholder: String? { "N" }

    package static func read(_ text: String) throws(SettingMismatch) -> Int {
        guard text.utf8.allSatisfy({ $0.decimalDigit != nil }), let number = Int(text) else {
            throw SettingMismatch(expected: "a whole number, 0 or more")
        }
        return number
    }

    package var settingText: String { String(self) }
}

extension String: SettingValue {
    package static var placeholder: String? { "TEXT" }

    package static func read(_ text: String) throws(SettingMismatch) -> String { text }

    package var settingText: String { self }
}

/// A setting that may be left open; an empty text leaves it so.
extension Optional: SettingValue where Wrapped: SettingValue {
    package static var placeholder: String? { Wrapped.placeholder }
    package static var accumulates: Bool { Wrapped.accumulates }

    package static func read(_ text: String) throws(SettingMismatch) -> Wrapped? {
        text.isEmpty ? nil : try Wrapped.read(text)
    }

    package var settingText: String { self?.settingText ?? "" }
}

/// A list, separated by commas; several lines or flags add up.
extension Array: SettingValue where Element: SettingValue {
    package static var placeholder: String? { Element.placeholder }
    package static var accumulates: Bool { true }

    package static func read(_ text: String) throws(SettingMismatch) -> [Element] {
        guard !text.isEmpty else { return [] }
        var elements: [Element] = []
        for part in text.unicodeScalars.split(
            separator: ",", omittingEmptySubsequences: false)
        {
            let text = String(part).trimmingBlanks
            guard !text.isEmpty else {
                throw SettingMismatch(expected: "a list with something between its commas")
            }
            elements.append(try Element.read(text))
        }
        return elements
    }

    package var settingText: String { map(\.settingText).joined(separator: ",") }
}

extension StringProtocol {
    /// Without the spaces and tabs around it.
    var trimmingBlanks: String {
        let scalars = Substring(self).unicodeScalars
        let isBlank = { (scalar: Unicode.Scalar) in scalar == " " || scalar == "\t" }
        guard let last = scalars.lastIndex(where: { !isBlank($0) }) else { return "" }
        return String(scalars[...last].drop(while: isBlank))
    }
}
