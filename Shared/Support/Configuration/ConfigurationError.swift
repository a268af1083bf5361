/// Why a configuration was refused. A program that starts with half of what it was told would be
/// worse than one that does not start.
package enum ConfigurationError: ReportableError, Equatable {
    case unknownSetting(String, SettingSource, nearest: String?)
    /// - Parameter text: nil for a secret.
    case mismatch(setting: String, text: String?, SettingSource, expected: String)
    case repeated(setting: String, SettingSource, earlier: SettingSource)
    case notInFile(setting: String, SettingSource)
    case malformedLine(SettingSource, ConfigurationFile.Flaw)
    case fileTooLarge(path: String, limit: Int)

    package var code: String {
        switch self {
        case .unknownSetting: "unknown_setting"
        case .mismatch: "setting_mismatch"
        case .repeated: "setting_repeated"
        case .notInFile: "setting_not_in_file"
        case .malformedLine: "configuration_malformed"
        case .fileTooLarge: "configuration_too_large"
        }
    }

    package var message: String {
        switch self {
        case .unknownSetting(let name, let source, let nearest):
            "\(source): there is no setting '\(name)'."
                + (nearest.map { " Did you mean '\($0)'?" } ?? " The help lists all of them.")
        case .mismatch(let setting, let text, let source, let expected):
            "\(source): \(text.map { "'\($0)'" } ?? "the value") is not \(expected);"
                + " that is what '\(setting)' takes."
        case .repeated(let setting, let source, let earlier):
            "\(source): '\(setting)' was set before, at \(earlier). Remove one of the two."
        case .notInFile(let setting, let source):
            "\(source): '\(setting)' cannot stand in a file. Give it as a flag, or in the"
                + " environment."
        case .malformedLine(let source, let flaw):
            "\(source): \(flaw.message)"
        case .fileTooLarge(let path, let limit):
            "\(path): a configuration of more than \(limit / 1024) KiB is surely another file."
        }
    }

    package var exitCode: ExitCode { .usage }
}
