/// What a shell has to read so that it completes a program's command lines: made of the commands themselves, so that
/// it always knows all of them.
package struct CompletionScript {
    package enum Shell: String, CaseIterable, Sendable {
        case bash, zsh, fish
    }

    private let program: Command

    package init(of program: Command) {
        self.program = program
    }

    package func text(for shell: Shell) -> String {
        switch shell {
        case .bash: BashCompletion(of: program).text
        case .zsh: ZshCompletion(of: program).text
        case .fish: FishCompletion(of: program).text
        }
    }

    /// A word that the shell takes as it is.
    static func quoted(_ text: String) -> String {
        "'" + text.replacing("'", with: "'\\''") + "'"
    }

    /// As a part of a function's name.
    static func functionName(_ names: [String]) -> String {
        "_" + names.joined(separator: "_").replacing("-", with: "_")
    }
}
