/// How lines are laid out: for a person at a terminal, or for a program.
package enum LogFormat: String, SettingChoice {
    case text, json
}

extension Log.Level {
    /// The level's word, as lines bear it and settings take it.
    package var name: StaticString {
        switch self {
        case .debug: "debug"
        case .info: "info"
        case .notice: "notice"
        case .warning: "warning"
        case .error: "error"
        }
    }
}

extension Log.Level: SettingValue {
    package static var placeholder: String? {
        allCases.map(\.settingText).joined(separator: "|")
    }

    package static func read(_ text: String) throws(SettingMismatch) -> Log.Level {
        guard let level = allCases.first(where: { $0.settingText == text }) else {
            let words = allCases.map(\.settingText).joined(separator: ", ")
            throw SettingMismatch(expected: "one of \(words)")
        }
        return level
    }

    package var settingText: String { name.description }
}
