/// What ends a command: a code for scripts and a sentence for people.
package struct CommandFailure: ReportableError {
    package let code: String
    package let message: String
    package let exitCode: ExitCode

    package init(_ code: String, _ message: String, exitCode: ExitCode = .failure) {
        self.code = code
        self.message = message
        self.exitCode = exitCode
    }
}
