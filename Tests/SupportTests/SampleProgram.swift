import BasketSupport

/// A program with what commands may have, and names that are none of a shell's friends.
enum SampleProgram {
    static let command = Command(
        "my-store", summary: "Keeps what's yours.",
        examples: [Command.Example("my-store put a.txt", "Keeps it.")],
        options: [CommandOption("json", help: "Answer in JSON.")],
        commands: [put, account])

    private static let put = Command(
        "put", summary: "Keeps files: all of them.",
        details: "It's quick.\n\n.dots at a line's start, and back\\slashes.",
        examples: [Command.Example("my-store put --mode=safe *.txt", "Keeps ‘some’.")],
        options: [
            CommandOption("mode", short: "m", placeholder: "quick|safe", help: "How [it] is done."),
            CommandOption("list", placeholder: "FILE", help: "Which ones.", isRepeatable: true),
            CommandOption("trash", help: "Keep what it was.", isNegatable: true),
        ],
        arguments: [CommandArgument("ITEM", help: "Files.", count: .many)],
        exits: [.conflict]
    ) { invocation, console in
        console.print("\(invocation.arguments("ITEM"))")
        return .success
    }

    private static let account = Command(
        "account", summary: "Accounts.", examples: [],
        commands: [
            Command(
                "show", summary: "Shows one.", examples: [],
                arguments: [
                    CommandArgument(
                        "NAME", help: "Its name.", completed: .lines(of: ["account", "list"])),
                    CommandArgument(
                        "KIND", help: "What of it.", completed: .choice(["all", "new"])),
                ]
            ) { _, _ in .success },
            Command("list", summary: "Lists them.", examples: []) { _, _ in .success },
        ])
}
