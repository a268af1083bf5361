/// What is in force, and why. Once it exists, asking it cannot fail.
package struct Configuration: Sendable {
    /// One setting, for people to read.
    package struct Entry: Sendable, Equatable {
        package let name: String
        /// A secret's text is not here.
        package let text: String
        package let source: SettingSource
        package let help: String
    }

    private let values: [String: any Sendable]
    /// Every setting, in the table's order.
    package let entries: [Entry]
    /// Variables with the program's prefix that no setting bears: perhaps mistyped.
    package let unknownVariables: [String]

    init(values: [String: any Sendable], entries: [Entry], unknownVariables: [String]) {
        self.values = values
        self.entries = entries
        self.unknownVariables = unknownVariables
    }

    /// The value in force. The setting must be in the table that this was resolved with.
    package subscript<Value>(setting: Setting<Value>) -> Value {
        guard let value = values[setting.name] as? Value else {
            preconditionFailure("the setting \(setting.name) is not in the table")
        }
        return value
    }

    /// Where the value in force came from.
    package func source<Value>(of setting: Setting<Value>) -> SettingSource {
        entries.first { $0.name == setting.name }?.source ?? .builtIn
    }
}
