import Glibc

/// The journal of the system's service manager, which all those read who look after the machine.
package enum SystemJournal {
    /// Whether what a process says on standard error goes there.
    package static func hasStandardError(_ environment: [String: String]) -> Bool {
        var facts = stat()
        guard let stream = environment["JOURNAL_STREAM"], fstat(STDERR_FILENO, &facts) == 0 else {
            return false
        }
        return stream == "\(facts.st_dev):\(facts.st_ino)"
    }
}
