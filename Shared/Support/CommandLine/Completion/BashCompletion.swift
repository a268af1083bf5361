/// Completion for bash: one function that reads the line from the left, as the program does.
struct BashCompletion {
    private let program: Command
    private let paths: [CommandPath]
    private let function: String

    init(of program: Command) {
        self.program = program
        paths = CommandPath([program]).all
        function = CompletionScript.functionName([program.name])
    }

    var text: String {
        """
        # Completes \(program.name) in bash. Let ~/.bashrc say: source <(\(program.name) completions bash)
        \(function)_offer() {
            local word=$1 candidate quoted
            shift
            # What was typed may be quoted already.
            word=${word//\\\\/}
            word=${word#[\\'\\"]}
            for candidate; do
                [[ $candidate == "$word"* ]] || continue
                printf -v quoted %q "$candidate"
                COMPREPLY+=("$quoted")
            done
        }

        \(function)_lines() {
            local word=$1 program=${COMP_WORDS[0]/#~\\//$HOME/} line
            local -a lines=()
            shift
            while IFS= read -r line; do lines+=("$line"); done < <("$program" "$@" 2>/dev/null)
            \(function)_offer "$word" "${lines[@]}"
        }

        \(function)_files() {
            # Nothing of ours: bash completes names of files by itself.
            compopt -o default 2>/dev/null
        }

        \(function)() {
            local word=${COMP_WORDS[COMP_CWORD]} path=\(quoted(program.name))
            local option='' ended='' token
            local -i count=0 index=1
            COMPREPLY=()
            while ((index < COMP_CWORD)); do
                token=${COMP_WORDS[index]}
                index+=1
                if [[ -n $ended || $token != -?* ]]; then
                    case "$path $token" in
        \(descents)
                        *) count+=1 ;;
                    esac
                elif [[ $token == -- ]]; then
                    ended=yes
                else
                    case "$path $token" in
        \(valued)
                            # Bash makes a word of the sign between an option and its value.
                            [[ ${COMP_WORDS[index]} == '=' ]] && index+=1
                            if ((index >= COMP_CWORD)); then option=$token; else index+=1; fi
                            ;;
                    esac
                fi
            done
            if [[ -n $option ]]; then
                [[ $word == '=' ]] && word=''
                case "$path $option" in
        \(lines(paths.flatMap(values)))
                esac
            elif [[ -z $ended && $word == -* ]]; then
                case "$path" in
        \(lines(paths.map(options)))
                esac
            else
                case "$path:$count" in
        \(lines(paths.flatMap(arguments)))
                esac
            fi
        }
        complete -F \(function) \(program.name)
        """
    }

    // MARK: Cases

    /// A command's name leads to it.
    private var descents: String {
        let names = paths.dropFirst().map { quoted($0.text) }
        return alternatives(names) + " path+=\" $token\" ;;"
    }

    private var valued: String {
        alternatives(
            paths.flatMap { path in
                path.options.filter(\.takesValue).flatMap { option in
                    option.words.map { quoted("\(path.text) \($0)") }
                }
            })
    }

    private func values(_ path: CommandPath) -> [String] {
        path.options.filter(\.takesValue).compactMap { option in
            let names = option.words.map { quoted("\(path.text) \($0)") }
            return offer(option.completed).map { "\(names.joined(separator: " | "))) \($0) ;;" }
        }
    }

    private func options(_ path: CommandPath) -> String {
        let words = path.options.flatMap(\.words)
        return
            "\(quoted(path.text))) \(function)_offer \"$word\" \(words.joined(separator: " ")) ;;"
    }

    private func arguments(_ path: CommandPath) -> [String] {
        guard path.command.commands.isEmpty else {
            let names = path.command.commands.map(\.name).joined(separator: " ")
            return ["\(quoted(path.text + ":0"))) \(function)_offer \"$word\" \(names) ;;"]
        }
        return path.command.arguments.enumerated().compactMap { index, argument in
            let isList = argument.count == .any || argument.count == .many
            let place = isList ? quoted(path.text + ":") + "*" : quoted("\(path.text):\(index)")
            return offer(argument.completed).map { "\(place)) \($0) ;;" }
        }
    }

    private func offer(_ completed: CompletedWord) -> String? {
        switch completed {
        case .nothing: nil
        case .files: "\(function)_files"
        case .choice(let words):
            "\(function)_offer \"$word\" " + words.map(quoted).joined(separator: " ")
        case .lines(let words):
            "\(function)_lines \"$word\" " + words.map(quoted).joined(separator: " ")
        }
    }

    // MARK: Layout

    private func quoted(_ text: String) -> String { CompletionScript.quoted(text) }

    private func lines(_ cases: [String]) -> String {
        (cases + ["*) ;;"]).map { "            " + $0 }.joined(separator: "\n")
    }

    /// Patterns of one case; where there are none, one that nothing is.
    private func alternatives(_ patterns: [String]) -> String {
        let margin = String(repeating: " ", count: 16)
        let all = patterns.isEmpty ? ["''"] : patterns
        return margin + all.joined(separator: " | \\\n" + margin) + ")"
    }
}
