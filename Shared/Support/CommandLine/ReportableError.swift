/// An error that a program ends with: a code for scripts, a sentence for people, an exit status.
package protocol ReportableError: Error {
    /// Part of the contract with scripts: added, never renamed.
    var code: String { get }
    /// What happened, then what to do about it. A second line is the way out.
    var message: String { get }
    var exitCode: ExitCode { get }
}

extension ReportableError {
    package var exitCode: ExitCode { .failure }
}
