import BasketSupport

/// What ends a command: a code for scripts and a sentence for people.
struct CommandFailure: ReportableError {
    let code: String
    let message: String
    let exitCode: ExitCode

    init(_ code: String, _ message: String, exitCode: ExitCode = .failure) {
        self.code = code
        self.message = message
        self.exitCode = exitCode
    }
}
