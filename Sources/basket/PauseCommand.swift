import BasketSupport
import FileProviderHost

/// `basket pause`
enum PauseCommand {
    static let command = Command(
        "pause", summary: "Have a domain speak to its server no more, until ‘basket resume’.",
        details:
            "It stays so after a restart. What is here can be read and written; it is sent later.",
        examples: [
            Command.Example("basket pause --reason 'On a train'", "‘basket status’ shows why."),
            Command.Example("basket pause Work", "One of several domains."),
        ],
        options: [
            CommandOption("reason", placeholder: "TEXT", help: "What people are told."),
            Options.json,
        ],
        arguments: [Options.domain], exits: [.notFound, .unreachable]
    ) { invocation, console in
        let reach = try DaemonReach()
        var request = ControlRequest(.pause)
        request.reason = invocation.value("reason")
        let done = try await reach.ask(
            reach.domain(invocation.argument("DOMAIN")), request, for: ControlDone.self)
        if invocation.has("json") { console.print(JSONText.line(done)) }
        return .success
    }
}
