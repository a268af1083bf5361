/// A command's page of the manual, in the language that `man` reads; of a command that leads to others, with all of them.
package struct ManualPage {
    private let path: CommandPath
    private let version: String

    /// - Parameters:
    ///   - names: those of the commands behind the program's own that lead to the one that is meant.
    ///   - version: of the program, as people know it.
    package init(of program: Command, _ names: [String], version: String) throws(CommandError) {
        var commands = [program]
        for name in names {
            let choices = commands[commands.count - 1].commands
            guard let next = choices.first(where: { $0.name == name }) else {
                throw .unknownCommand(
                    name, path: commands.map(\.name),
                    nearest: Spelling.nearest(to: name, in: choices.map(\.name)))
            }
            commands.append(next)
        }
        path = CommandPath(commands)
        self.version = version
    }

    package var text: String {
        let name = path.names.joined(separator: "-")
        let title = RoffText.escaped(name.uppercased())
        let source = RoffText.escaped("\(path.names[0]) \(version)")
        var lines = [
            ".TH \"\(title)\" 1 \"\" \"\(source)\" \"\(RoffText.escaped(path.names[0]))\"",
            ".SH NAME", "\(RoffText.line(name)) \\- \(RoffText.escaped(path.command.summary))",
            ".SH SYNOPSIS", RoffText.synopsis(path),
        ]
        if !path.command.details.isEmpty {
            lines += [".SH DESCRIPTION"] + RoffText.paragraphs(path.command.details)
        }
        if !path.next.isEmpty { lines += [".SH COMMANDS"] + path.next.flatMap(described) }
        lines += section("ARGUMENTS", RoffText.arguments(path))
        lines += section("OPTIONS", RoffText.options(path.options))
        let exits = path.next.isEmpty ? path.exits : Self.allExits(of: path)
        lines += section(
            "EXIT STATUS", exits.flatMap { RoffText.entry("\($0.rawValue)", $0.meaning) })
        lines += section("EXAMPLES", RoffText.examples(path.command))
        return lines.joined(separator: "\n")
    }

    private func section(_ title: String, _ lines: [String]) -> [String] {
        lines.isEmpty ? [] : [".SH \"\(title)\""] + lines
    }

    /// A command as a part of the page of one above it.
    private func described(_ path: CommandPath) -> [String] {
        guard path.next.isEmpty else { return path.next.flatMap(described) }
        // The program's own name goes without saying.
        let rest = path.names.dropFirst().joined(separator: " ")
        return [".SS \"\(RoffText.escaped(rest))\"", RoffText.synopsis(path), ".PP"]
            + RoffText.paragraphs(path.command.summary)
            + RoffText.paragraphs(path.command.details, isFirst: false)
            + RoffText.arguments(path)
            + RoffText.options(path.command.options)
            + RoffText.examples(path.command)
    }

    private static func allExits(of path: CommandPath) -> [ExitCode] {
        let all = path.all.flatMap(\.exits)
        return Set(all).sorted { $0.rawValue < $1.rawValue }
    }
}
