import BasketSupport

/// Options that several commands share.
enum ServerOptions {
    static let json = CommandOption("json", help: "Print JSON, one object a line.")
    /// Where the data lies, and how results are printed.
    static let common = ServerSettings.options { _ in false } + [json]
}
