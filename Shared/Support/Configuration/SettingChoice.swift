/// A setting that is one of a few words: `enum LogFormat: String, SettingChoice { … }`.
package protocol SettingChoice: SettingValue, CaseIterable, RawRepresentable<String> {}

extension SettingChoice {
    package static var placeholder: String? {
        allCases.map(\.rawValue).joined(separator: "|")
    }

    package static func read(_ text: String) throws(SettingMismatch) -> Self {
        guard let choice = Self(rawValue: text) else {
            let words = allCases.map(\.rawValue).joined(separator: ", ")
            throw SettingMismatch(expected: "one of \(words)")
        }
        return choice
    }

    package var settingText: String { rawValue }
}
