import BasketModels
import BasketSupport
import Glibc

/// What a command changed of accounts and domains, for the system's log: there, and not in the server's,
/// which may not even run, is where one looks for who did what on a machine. Where there is none, as in
/// a container, it is said on standard error, which whoever runs containers keeps.
struct CommandAudit {
    /// Such as `account add`.
    let action: String
    /// Whom or what it was done to.
    let subject: String
    /// The data's.
    let folder: String

    func note(_ console: Console, asJSON: Bool) {
        guard SystemLog.isThere else {
            return console.say(asJSON ? json : "basket-server: \(line)")
        }
        openlog("basket-server", LOG_PID, Int32(LOG_AUTHPRIV))
        line.withCString { text in
            withVaList([text]) { vsyslog(LOG_NOTICE, "%s", $0) }
        }
        closelog()
    }

    private var line: String {
        // What comes from outside takes one line, whatever is in it.
        String(
            "\(action) '\(subject)' by uid \(getuid()) in \(folder)"
                .map { $0.isNewline || $0 == "\0" ? " " : $0 })
    }

    private var json: String {
        JSONText.object { writer in
            writer.key("audit")
            writer.string(action)
            writer.key("subject")
            writer.string(subject)
            writer.key("uid")
            writer.number(Int64(getuid()))
            writer.key("folder")
            writer.string(folder)
        }
    }
}
