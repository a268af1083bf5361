/// Completion for zsh: a function for each command, which tells `_arguments` what it takes.
struct ZshCompletion {
    private let program: Command
    private let function: String

    init(of program: Command) {
        self.program = program
        function = CompletionScript.functionName([program.name])
    }

    var text: String {
        let functions = CommandPath([program]).all.map { path in
            path.command.commands.isEmpty ? leaf(path) : branch(path)
        }
        return """
            #compdef \(program.name)
            # Completes \(program.name) in zsh. Keep it as \(function) in a folder of $fpath, or let ~/.zshrc say:
            # source <(\(program.name) completions zsh)
            \(function)_lines() {
                local -a lines
                lines=("${(@f)$(command \(program.name) "$@" 2>/dev/null)}")
                compadd -a lines
            }

            \(functions.joined(separator: "\n\n"))

            if [[ $funcstack[1] == \(function) ]]; then
                \(function) "$@"
            else
                compdef \(function) \(program.name)
            fi
            """
    }

    private func branch(_ path: CommandPath) -> String {
        let commands = path.command.commands.map { command in
            CompletionScript.quoted("\(command.name):\(command.summary)")
        }
        let cases = path.next.map { next in
            "\(next.command.name)) \(CompletionScript.functionName(next.names)) ;;"
        }
        return """
            \(CompletionScript.functionName(path.names))() {
                local curcontext=$curcontext state line
                local -a commands
                typeset -A opt_args
                commands=(
                    \(commands.joined(separator: "\n        "))
                )
                _arguments -C -S \\
                    \(specifications(path).joined(separator: " \\\n        ")) \\
                    '1: :->command' '*:: :->rest'
                case $state in
                    command) _describe -t commands command commands ;;
                    rest)
                        case $words[1] in
                            \(cases.joined(separator: "\n                "))
                        esac
                        ;;
                esac
            }
            """
    }

    private func leaf(_ path: CommandPath) -> String {
        let arguments = path.command.arguments.map { argument in
            let start =
                switch argument.count {
                case .one: ""
                case .optional: ":"
                case .any, .many: "*"
                }
            return CompletionScript.quoted(
                "\(start):\(escaped(argument.name)):\(action(argument.completed))")
        }
        let all = specifications(path) + arguments
        return """
            \(CompletionScript.functionName(path.names))() {
                _arguments -S \\
                    \(all.joined(separator: " \\\n        "))
            }
            """
    }

    /// The options, as `_arguments` takes them.
    private func specifications(_ path: CommandPath) -> [String] {
        path.options.flatMap { option in
            option.words.map { word in
                let start = (option.isRepeatable ? "*" : "") + word
                let help = "[\(escaped(option.help))]"
                guard let placeholder = option.placeholder else {
                    return CompletionScript.quoted(start + help)
                }
                let sign = word.hasPrefix("--") ? "=" : ""
                return CompletionScript.quoted(
                    "\(start)\(sign)\(help):\(escaped(placeholder)):\(action(option.completed))")
            }
        }
    }

    private func action(_ completed: CompletedWord) -> String {
        switch completed {
        case .nothing: " "
        case .files: "_files"
        case .choice(let words): "(\(words.joined(separator: " ")))"
        case .lines(let words): "{\(function)_lines \(words.joined(separator: " "))}"
        }
    }

    /// What `_arguments` would take for a sign of its own.
    private func escaped(_ text: String) -> String {
        ["\\", "[", "]", ":"].reduce(text) { $0.replacing($1, with: "\\" + $1) }
    }
}
