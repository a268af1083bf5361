import BasketSupport

/// Options that several commands have.
enum Options {
    static let json = CommandOption("json", help: "Say it as JSON, for a script.")
}
