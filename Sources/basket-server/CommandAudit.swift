import Glibc

/// What a command changed of accounts and domains, for the system's log: there, and not in the server's,
/// which may not even run, is where one looks for who did what on a machine.
enum CommandAudit {
    /// - Parameters:
    ///   - action: such as `account add`.
    ///   - subject: whom or what it was done to.
    ///   - folder: the data's.
    static func note(_ action: String, _ subject: String, folder: String) {
        // What comes from outside takes one line, whatever is in it.
        let line = "\(action) '\(subject)' by uid \(getuid()) in \(folder)"
            .map { $0.isNewline || $0 == "\0" ? " " : $0 }
        openlog("basket-server", LOG_PID, Int32(LOG_AUTHPRIV))
        String(line).withCString { text in
            withVaList([text]) { vsyslog(LOG_NOTICE, "%s", $0) }
        }
        closelog()
    }
}
