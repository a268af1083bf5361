/// Every setting of a program. From it come the flags, the variables, the lines of the file, and
/// the help; what it does not name is refused.
package struct SettingTable: Sendable {
    package let settings: [any SettingDeclaration]
    private let byName: [String: any SettingDeclaration]
    private let variablePrefix: String

    /// - Parameter variablePrefix: what the environment's variables begin with: `BASKET_`.
    package init(_ settings: [any SettingDeclaration], variablePrefix: String = "BASKET_") {
        self.settings = settings
        self.variablePrefix = variablePrefix
        byName = Dictionary(settings.map { ($0.name, $0) }) { first, _ in
            preconditionFailure("two settings are called \(first.name)")
        }
    }

    /// The flags, for the command that takes them.
    package var options: [CommandOption] {
        settings.map { setting in
            let variable = variable(of: setting.name)
            let origin = setting.defaultText.isEmpty || setting.isSecret ? "" : setting.defaultText
            return CommandOption(
                setting.name, placeholder: setting.placeholder, help: setting.help,
                note: origin.isEmpty ? variable : "default \(origin); \(variable)",
                isNegatable: setting.placeholder == nil, isRepeatable: setting.accumulates)
        }
    }

    /// The environment's name for a setting: `BASKET_TRUSTED_PROXY`.
    package func variable(of name: String) -> String {
        variablePrefix + name.uppercased().replacing("-", with: "_")
    }

    /// Weighs flags over the environment over the file over what is built in. Every source is
    /// checked as a whole, also where another one outweighs it.
    ///
    /// - Parameter flags: each flag with its text, in their order, as `Invocation` has them.
    package func resolve(
        flags: [(name: String, text: String)] = [], environment: [String: String] = [:],
        file: ConfigurationFile? = nil
    ) throws(ConfigurationError) -> Configuration {
        let fromFile = try collect(
            file?.lines.map { line in
                Origin(line.name, line.value, .file(path: file?.path ?? "", line: line.number))
            } ?? [])
        let fromEnvironment = try collect(variables(in: environment))
        let fromFlags = try collect(
            flags.map { Origin($0.name, $0.text, .flag("--\($0.name)")) })

        var values: [String: any Sendable] = [:]
        var entries: [Configuration.Entry] = []
        for setting in settings {
            let origin =
                fromFlags[setting.name] ?? fromEnvironment[setting.name]
                ?? fromFile[setting.name]
            let (value, text) = try read(origin, as: setting)
            values[setting.name] = value
            entries.append(
                Configuration.Entry(
                    name: setting.name, text: setting.isSecret && !text.isEmpty ? "(secret)" : text,
                    source: origin?.source ?? .builtIn, help: setting.help))
        }
        return Configuration(
            values: values, entries: entries, unknownVariables: unknownVariables(in: environment))
    }

    /// A text that one source has for one setting.
    private struct Origin {
        let name: String
        let text: String
        let source: SettingSource

        init(_ name: String, _ text: String, _ source: SettingSource) {
            self.name = name
            self.text = text
            self.source = source
        }
    }

    /// What one source says, by setting, each text already known to be readable.
    private func collect(_ origins: [Origin]) throws(ConfigurationError) -> [String: Origin] {
        var found: [String: Origin] = [:]
        for origin in origins {
            guard let setting = byName[origin.name] else {
                throw .unknownSetting(
                    origin.name, origin.source,
                    nearest: Spelling.nearest(to: origin.name, in: settings.map(\.name)))
            }
            if case .file = origin.source, !setting.isAllowedInFile {
                throw .notInFile(setting: setting.name, origin.source)
            }
            _ = try read(origin, as: setting)
            guard let earlier = found[origin.name] else {
                found[origin.name] = origin
                continue
            }
            guard setting.accumulates else {
                throw .repeated(
                    setting: setting.name, origin.source, earlier: earlier.source)
            }
            let parts = [earlier.text, origin.text].filter { !$0.isEmpty }
            found[origin.name] = Origin(
                origin.name, parts.joined(separator: ","), earlier.source)
        }
        return found
    }

    private func read(
        _ origin: Origin?, as setting: any SettingDeclaration
    ) throws(ConfigurationError) -> (value: any Sendable, text: String) {
        do {
            return try setting.resolve(origin?.text)
        } catch {
            throw .mismatch(
                setting: setting.name, text: setting.isSecret ? nil : origin?.text,
                origin?.source ?? .builtIn, expected: error.expected)
        }
    }

    /// An empty variable is one that is not set: `docker compose` passes those on that way.
    private func variables(in environment: [String: String]) -> [Origin] {
        settings.compactMap { setting in
            let variable = variable(of: setting.name)
            guard let text = environment[variable], !text.isEmpty else { return nil }
            return Origin(setting.name, text, .environment(variable))
        }
    }

    /// Told, but no error: whoever runs the program puts variables of the same prefix there too.
    /// (Kubernetes does, for a service that is called `basket`.)
    private func unknownVariables(in environment: [String: String]) -> [String] {
        let known = Set(settings.map { variable(of: $0.name) })
        return environment.keys.filter { $0.hasPrefix(variablePrefix) && !known.contains($0) }
            .sorted()
    }
}
