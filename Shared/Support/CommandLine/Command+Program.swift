// Commands that every program has, as they are about the program itself.
extension Command {
    /// `completions SHELL`: what a shell has to read.
    /// - Parameter program: all of it, this command too.
    package static func completions(
        of name: String, json: CommandOption, program: @escaping @Sendable () -> Command
    ) -> Command {
        let shells = CompletionScript.Shell.allCases.map(\.rawValue)
        return Command(
            "completions", summary: "Print what a shell needs to complete command lines.",
            details: "A package has installed it already, perhaps.",
            examples: [
                Example("source <(\(name) completions bash)", "In ~/.bashrc."),
                Example(
                    "\(name) completions zsh >~/.zfunc/_\(name)", "In a folder of zsh's $fpath."),
                Example(
                    "\(name) completions fish >~/.config/fish/completions/\(name).fish",
                    "Where fish looks for it."),
            ],
            options: [json],
            arguments: [
                CommandArgument(
                    "SHELL", help: "\(shells.joined(separator: ", ")).",
                    completed: .choice(shells))
            ]
        ) { invocation, console in
            let word = invocation.argument("SHELL") ?? ""
            guard let shell = CompletionScript.Shell(rawValue: word) else {
                throw CommandFailure(
                    "bad_shell",
                    "nothing is known of the shell ‘\(ShownText.escaped(word))’.\nThere are \(shells.joined(separator: ", ")).",
                    exitCode: .usage)
            }
            let text = CompletionScript(of: program()).text(for: shell)
            console.print(invocation.has("json") ? object("script", text) : text)
            return .success
        }
    }

    /// `man`: the manual, of the program or of one of its commands.
    package static func manual(
        of name: String, version: String, json: CommandOption,
        program: @escaping @Sendable () -> Command
    ) -> Command {
        Command(
            "man", summary: "Print the manual, of all commands or of one, for ‘man’ to show.",
            examples: [
                Example("\(name) man | man -l -", "Read it."),
                Example(
                    "\(name) man >/usr/local/share/man/man1/\(name).1",
                    "Have ‘man \(name)’ find it."),
            ],
            options: [json],
            arguments: [
                CommandArgument(
                    "COMMAND", help: "Only this one.", count: .any)
            ]
        ) { invocation, console in
            let page = try ManualPage(
                of: program(), invocation.arguments("COMMAND"), version: version)
            console.print(invocation.has("json") ? object("page", page.text) : page.text)
            return .success
        }
    }

    private static func object(_ key: String, _ text: String) -> String {
        var line = Array("{\"\(key)\":".utf8)
        line.appendJSON(text)
        return String(decoding: line, as: UTF8.self) + "}"
    }
}
