/// The server's command, as it was built beside the tests.
enum ServerProgram {
    static let path = BuiltProgram.path(of: "basket-server", variable: "BASKET_SERVER_PROGRAM")

    /// Runs a command to its end.
    static func run(
        _ arguments: [String], environment: [String: String] = [:], input: String = ""
    ) throws -> (ending: ChildProcess.Ending?, output: String, errors: String) {
        let process = try ChildProcess(path, arguments, environment: environment, input: input)
        let ending = process.wait()
        return (ending, process.output.text, process.errors.text)
    }

    /// Whether it has a command of this name yet.
    static func has(_ command: String) throws -> Bool {
        try run([command, "--help"]).ending == .exit(0)
    }
}
