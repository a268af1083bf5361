/// A command line, understood: which command, with which options and arguments.
package struct Invocation: Sendable {
    /// The commands' names, from the program's own.
    package let path: [String]
    /// In the order they were given; `yes` and `no` for what is switched on and off.
    package let options: [(name: String, text: String)]
    private let arguments: [String: [String]]

    init(
        path: [String], options: [(name: String, text: String)], arguments: [String: [String]]
    ) {
        self.path = path
        self.options = options
        self.arguments = arguments
    }

    /// The value of an option, or nil where it was not given.
    package func value(_ option: String) -> String? {
        options.last { $0.name == option }?.text
    }

    package func values(_ option: String) -> [String] {
        options.filter { $0.name == option }.map(\.text)
    }

    /// Whether an option was switched on.
    package func has(_ option: String) -> Bool {
        value(option) == "yes"
    }

    /// The argument of that name; nil where it is optional and was left out.
    package func argument(_ name: String) -> String? {
        arguments[name]?.first
    }

    package func arguments(_ name: String) -> [String] {
        arguments[name] ?? []
    }

    /// The options that belong to a table, for its `resolve`.
    package func flags(of table: SettingTable) -> [(name: String, text: String)] {
        let names = Set(table.settings.map(\.name))
        return options.filter { names.contains($0.name) }
    }
}
