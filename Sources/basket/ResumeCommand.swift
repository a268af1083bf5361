import BasketSupport
import FileProviderHost

/// `basket resume`
enum ResumeCommand {
    static let command = DomainCommand.command(
        "resume", summary: "Have a domain speak to its server again.",
        examples: [
            Command.Example("basket resume", "After ‘basket pause’."),
            Command.Example("basket resume Work && basket wait Work", "And wait for the rest."),
        ], asking: .resume)
}
