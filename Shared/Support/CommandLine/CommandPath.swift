/// A command with those that lead to it, from the program's own.
struct CommandPath {
    let commands: [Command]

    init(_ commands: [Command]) {
        self.commands = commands
    }

    var command: Command { commands[commands.count - 1] }
    var names: [String] { commands.map(\.name) }
    /// As it is typed.
    var text: String { names.joined(separator: " ") }

    /// What can be given here: first the command's own.
    var options: [CommandOption] {
        command.options + commands.dropLast().flatMap(\.options) + [.help]
    }

    var exits: [ExitCode] {
        [.success, .failure, .usage] + commands.flatMap(\.exits)
    }

    var usage: String {
        let arguments = command.arguments.map(\.synopsis)
        let next = command.commands.isEmpty ? [] : ["COMMAND"]
        return ([text, "[OPTIONS]"] + next + arguments).joined(separator: " ")
    }

    var next: [CommandPath] { command.commands.map { CommandPath(commands + [$0]) } }

    /// The command, and all below it.
    var all: [CommandPath] { [self] + next.flatMap(\.all) }
}
