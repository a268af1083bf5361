/// Why a command line was not understood.
package enum CommandError: ReportableError, Equatable {
    case missingCommand(path: [String], known: [String])
    case unknownCommand(String, path: [String], nearest: String?)
    case unknownOption(String, path: [String], nearest: String?)
    case missingValue(option: String, placeholder: String)
    case unexpectedValue(option: String)
    case repeatedOption(String)
    case missingArgument(String, path: [String])
    case unexpectedArgument(String, path: [String])

    package var code: String { "usage" }

    package var exitCode: ExitCode { .usage }

    package var message: String {
        switch self {
        case .missingCommand(let path, let known):
            "a command is missing.\n"
                + Self.teach(path, "There are \(known.joined(separator: ", "))")
        case .unknownCommand(let word, let path, let nearest):
            "there is no command '\(word)'.\n" + Self.suggest(nearest, path)
        case .unknownOption(let word, let path, let nearest):
            "there is no option '\(word)'.\n" + Self.suggest(nearest, path)
        case .missingValue(let option, let placeholder):
            "'\(option)' needs a value.\nWrite \(option)=\(placeholder)."
        case .unexpectedValue(let option):
            "'\(option)' takes no value.\nWrite \(option) alone."
        case .repeatedOption(let option):
            "'\(option)' was given twice.\nRemove one of the two."
        case .missingArgument(let name, let path):
            "\(name) is missing.\n" + Self.teach(path, nil)
        case .unexpectedArgument(let word, let path):
            "'\(word)' is one word too many.\n" + Self.teach(path, nil)
        }
    }

    private static func suggest(_ nearest: String?, _ path: [String]) -> String {
        nearest.map { "Did you mean '\($0)'?" } ?? teach(path, nil)
    }

    private static func teach(_ path: [String], _ known: String?) -> String {
        (known.map { $0 + ". " } ?? "") + "See: \(path.joined(separator: " ")) --help"
    }
}
