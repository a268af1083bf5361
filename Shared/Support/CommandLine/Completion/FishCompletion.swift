/// Completion for fish: a line for each word that may come, with the command behind which it does.
struct FishCompletion {
    private let program: Command
    private let paths: [CommandPath]
    private let function: String

    init(of program: Command) {
        self.program = program
        paths = CommandPath([program]).all
        function = "_" + CompletionScript.functionName([program.name])
    }

    var text: String {
        let descents = paths.dropFirst().map { quoted($0.text) }
        let lines = paths.flatMap { commands($0) + arguments($0) + options($0) }
        return """
            # Completes \(program.name) in fish. Keep it as ~/.config/fish/completions/\(program.name).fish
            function \(function)_path
                set -l path \(quoted(program.name))
                set -l words (commandline -opc)
                for word in $words[2..-1]
                    switch "$path $word"
                        case \(descents.isEmpty ? "''" : descents.joined(separator: " "))
                            set path "$path $word"
                    end
                end
                echo $path
            end

            function \(function)_is
                test (\(function)_path) = "$argv"
            end

            complete -c \(program.name) -f
            \(lines.joined(separator: "\n"))
            """
    }

    private func commands(_ path: CommandPath) -> [String] {
        path.command.commands.map { command in
            "\(start(path)) -a \(quoted(command.name)) -d \(quoted(command.summary))"
        }
    }

    /// Fish does not count: what any of the arguments may be is offered for each.
    private func arguments(_ path: CommandPath) -> [String] {
        path.command.arguments.compactMap { argument in
            offer(argument.completed).map { "\(start(path)) \($0)" }
        }
    }

    private func options(_ path: CommandPath) -> [String] {
        path.options.flatMap { option in
            option.words.map { word in
                let name =
                    word.hasPrefix("--") ? "-l \(word.dropFirst(2))" : "-s \(word.dropFirst())"
                let help = "-d \(quoted(option.help))"
                guard option.takesValue else { return "\(start(path)) \(name) \(help)" }
                let value = offer(option.completed).map { " " + $0 } ?? ""
                return "\(start(path)) \(name) -r\(value) \(help)"
            }
        }
    }

    private func start(_ path: CommandPath) -> String {
        "complete -c \(program.name) -n \(quoted("\(function)_is \(path.text)"))"
    }

    private func offer(_ completed: CompletedWord) -> String? {
        switch completed {
        case .nothing: nil
        case .files: "-F"
        case .choice(let words): "-f -a \(quoted(words.joined(separator: " ")))"
        case .lines(let words):
            "-f -a \(quoted("(command \(program.name) \(words.joined(separator: " ")) 2>/dev/null)"))"
        }
    }

    /// Fish has the backslash obeyed within quotes too.
    private func quoted(_ text: String) -> String {
        "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
    }
}
