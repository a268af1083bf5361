import BasketSupport

/// Options that several commands share.
enum ServerOptions {
    static let data = CommandOption(
        "data", placeholder: "DIR", help: ServerSettings.data.help, note: "BASKET_DATA")
    static let config = CommandOption(
        "config", placeholder: "FILE", help: ServerSettings.config.help, note: "BASKET_CONFIG")
    static let json = CommandOption("json", help: "Print JSON, one object a line.")
}
