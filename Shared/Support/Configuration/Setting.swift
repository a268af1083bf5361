/// One thing that can be set: by a flag, an environment variable or a line of a file. Its value is
/// typed; a `Configuration` is asked for it by this very declaration.
package struct Setting<Value: SettingValue>: Sendable {
    /// As in a file and, with two dashes before it, in a flag: `trusted-proxy`.
    package let name: String
    package let defaultValue: Value
    /// One sentence for whoever sets it.
    package let help: String
    /// A secret's value is never shown, not even to say that it is wrong.
    package let isSecret: Bool
    /// False for what must be known before a file is read, such as where it lies.
    package let isAllowedInFile: Bool
    /// Stands for the value in the help; nil for what is switched on and off.
    package let placeholder: String?
    private let check: @Sendable (Value) throws(SettingMismatch) -> Void

    /// - Parameter check: throws for a value that can be read, but makes no sense.
    package init(
        _ name: String, default defaultValue: Value, help: String,
        placeholder: String? = Value.placeholder, isSecret: Bool = false,
        isAllowedInFile: Bool = true,
        check: @escaping @Sendable (Value) throws(SettingMismatch) -> Void = { _ in }
    ) {
        self.name = name
        self.defaultValue = defaultValue
        self.help = help
        self.placeholder = placeholder
        self.isSecret = isSecret
        self.isAllowedInFile = isAllowedInFile
        self.check = check
    }

    func read(_ text: String) throws(SettingMismatch) -> Value {
        let value = try Value.read(text)
        try check(value)
        return value
    }
}

extension Setting where Value: Comparable {
    /// A setting with a least and a greatest value.
    package init(
        _ name: String, default defaultValue: Value, in range: ClosedRange<Value>, help: String
    ) {
        self.init(name, default: defaultValue, help: help) { value throws(SettingMismatch) in
            guard range.contains(value) else {
                let (least, most) = (range.lowerBound.settingText, range.upperBound.settingText)
                throw SettingMismatch(expected: "between \(least) and \(most)")
            }
        }
    }
}

extension Setting: SettingDeclaration {
    package var accumulates: Bool { Value.accumulates }
    package var defaultText: String { defaultValue.settingText }

    package func resolve(
        _ text: String?
    ) throws(SettingMismatch) -> (value: any Sendable, text: String) {
        guard let text else { return (defaultValue, defaultValue.settingText) }
        let value = try read(text)
        return (value, value.settingText)
    }
}
