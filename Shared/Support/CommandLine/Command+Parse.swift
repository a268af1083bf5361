extension Command {
    /// What a command line asks for.
    package enum Outcome: Sendable {
        case help(String)
        case call(Body, Invocation)
    }

    /// Understands the words after the program's name, or throws the first thing that is wrong.
    package func parse(_ words: [String]) throws(CommandError) -> Outcome {
        var parser = CommandParser(self, words: words)
        return try parser.parse()
    }
}

/// Reads a command line from the left.
private struct CommandParser {
    private var path: [Command]
    private var rest: ArraySlice<String>
    private var options: [(name: String, text: String)] = []
    private var plain: [String] = []

    init(_ root: Command, words: [String]) {
        path = [root]
        rest = words[...]
    }

    private var names: [String] { path.map(\.name) }
    private var known: [CommandOption] { path.flatMap(\.options) + [.help] }

    mutating func parse() throws(CommandError) -> Command.Outcome {
        var optionsEnded = false
        while let word = rest.popFirst() {
            if optionsEnded {
                try accept(word)
            } else if word == "--" {
                optionsEnded = true
            } else if word.hasPrefix("--") {
                try acceptLong(word)
            } else if word.hasPrefix("-"), word != "-" {
                try acceptShort(word)
            } else {
                try accept(word)
            }
            if options.last?.name == CommandOption.help.name {
                return .help(CommandHelp(path: path).text)
            }
        }
        let command = path[path.count - 1]
        guard let body = command.body else {
            throw .missingCommand(path: names, known: command.commands.map(\.name))
        }
        return .call(
            body, Invocation(path: names, options: options, arguments: try arguments(of: command)))
    }

    /// A command's name while there are commands to choose from, an argument afterwards.
    private mutating func accept(_ word: String) throws(CommandError) {
        let choices = path[path.count - 1].commands
        guard !choices.isEmpty else {
            plain.append(word)
            return
        }
        guard let chosen = choices.first(where: { $0.name == word }) else {
            throw .unknownCommand(
                word, path: names, nearest: Spelling.nearest(to: word, in: choices.map(\.name)))
        }
        path.append(chosen)
    }

    private mutating func acceptLong(_ word: String) throws(CommandError) {
        // Scalar by scalar: a mark at the value's beginning makes another character of the sign.
        let parts = word.unicodeScalars.dropFirst(2).split(
            separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        let text = parts.count > 1 ? String(parts[1]) : nil
        if let option = known.first(where: { $0.name == name }) {
            try add(option, as: "--\(name)", text: text)
            return
        }
        if name.hasPrefix("no-"),
            let option = known.first(where: { $0.isNegatable && $0.name == name.dropFirst(3) })
        {
            guard text == nil else { throw .unexpectedValue(option: "--\(name)") }
            try append(option, "no")
            return
        }
        let nearest = Spelling.nearest(to: name, in: known.map(\.name))
        throw .unknownOption("--\(name)", path: names, nearest: nearest.map { "--\($0)" })
    }

    /// `-q`, or `-n 5`. Letters are not run together: `-qn5` is three guesses at once.
    private mutating func acceptShort(_ word: String) throws(CommandError) {
        let letter = word.dropFirst()
        guard letter.count == 1, let option = known.first(where: { $0.short == letter.first })
        else { throw .unknownOption(word, path: names, nearest: nil) }
        try add(option, as: word, text: nil)
    }

    private mutating func add(
        _ option: CommandOption, as word: String, text: String?
    ) throws(CommandError) {
        guard let placeholder = option.placeholder else {
            guard let text else { return try append(option, "yes") }
            // `--trash=no` is as good as `--no-trash`, where that exists.
            let known = option.isNegatable ? try? Bool.read(text) : nil
            guard let known else { throw .unexpectedValue(option: word) }
            return try append(option, known.settingText)
        }
        guard let text = text ?? rest.popFirst() else {
            throw .missingValue(option: word, placeholder: placeholder)
        }
        try append(option, text)
    }

    private mutating func append(
        _ option: CommandOption, _ text: String
    ) throws(CommandError) {
        guard option.isRepeatable || !options.contains(where: { $0.name == option.name }) else {
            throw .repeatedOption("--\(option.name)")
        }
        options.append((option.name, text))
    }

    private func arguments(of command: Command) throws(CommandError) -> [String: [String]] {
        var found: [String: [String]] = [:]
        var words = plain[...]
        for argument in command.arguments {
            switch argument.count {
            case .one:
                guard let word = words.popFirst() else {
                    throw .missingArgument(argument.name, path: names)
                }
                found[argument.name] = [word]
            case .optional:
                found[argument.name] = words.popFirst().map { [$0] }
            case .any, .many:
                if argument.count == .many, words.isEmpty {
                    throw .missingArgument(argument.name, path: names)
                }
                found[argument.name] = Array(words)
                words = []
            }
        }
        guard let extra = words.first else { return found }
        throw .unexpectedArgument(extra, path: names)
    }
}
