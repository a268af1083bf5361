/// One command of a program: what it takes, how its help teaches it, and what runs it. A command
/// with commands of its own only leads to them.
package struct Command: Sendable {
    /// A line to type, and what it does.
    package struct Example: Sendable {
        package let line: String
        package let effect: String

        package init(_ line: String, _ effect: String) {
            self.line = line
            self.effect = effect
        }
    }

    package typealias Body = @Sendable (Invocation, Console) async throws -> ExitCode

    package let name: String
    /// One sentence, which also stands in the list of the command above.
    package let summary: String
    /// What else there is to know, in paragraphs.
    package let details: String
    package let examples: [Example]
    /// Valid here and in every command below.
    package let options: [CommandOption]
    package let arguments: [CommandArgument]
    /// How it may end, besides 0, 1 and 2.
    package let exits: [ExitCode]
    package let commands: [Command]
    let body: Body?

    /// A command that does something.
    package init(
        _ name: String, summary: String, details: String = "", examples: [Example],
        options: [CommandOption] = [], arguments: [CommandArgument] = [], exits: [ExitCode] = [],
        body: @escaping Body
    ) {
        self.name = name
        self.summary = summary
        self.details = details
        self.examples = examples
        self.options = options
        self.arguments = arguments
        self.exits = exits
        self.commands = []
        self.body = body
    }

    /// A command that leads to others.
    package init(
        _ name: String, summary: String, details: String = "", examples: [Example],
        options: [CommandOption] = [], exits: [ExitCode] = [], commands: [Command]
    ) {
        self.name = name
        self.summary = summary
        self.details = details
        self.examples = examples
        self.options = options
        self.arguments = []
        self.exits = exits
        self.commands = commands
        self.body = nil
    }
}

extension Command {
    /// Parses, calls, prints; what a program's `main` consists of.
    ///
    /// - Parameter words: the arguments, without the program's own name.
    package func run(_ words: [String], console: Console) async -> ExitCode {
        let wantsJSON = words.prefix { $0 != "--" }.contains("--json")
        do {
            switch try parse(words) {
            case .help(let text):
                console.print(text)
                return .success
            case .call(let body, let invocation):
                return try await body(invocation, console)
            }
        } catch let error as any ReportableError {
            console.report(error, program: name, asJSON: wantsJSON)
            return error.exitCode
        } catch is CancellationError {
            return .interrupted
        } catch is Console.Unheard {
            // Somebody has seen enough.
            return .success
        } catch {
            console.report(UnforeseenError(cause: error), program: name, asJSON: wantsJSON)
            return .failure
        }
    }
}

/// What no edge has turned into words of its own.
private struct UnforeseenError: ReportableError {
    let cause: any Error
    var code: String { "failure" }
    var message: String { "\(cause)." }
}
