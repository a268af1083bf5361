import Glibc

/// Tells the system's service manager how the program is, where there is one that listens:
/// systemd's `sd_notify`, without its library. It is a datagram to a socket that the environment
/// names.
///
/// A notification that does not arrive is not an error: the program runs as well without.
package struct ServiceNotifier: Sendable {
    private let address: UnixAddress?
    /// How often the manager wants to hear `watchdog()`, or it starts the program anew. Nil: never.
    package let watchdogInterval: Duration?

    /// - Parameters:
    ///   - environment: the process's variables.
    ///   - processID: the process's own number; a watchdog that is meant for another is not ours.
    package init(environment: [String: String], processID: Int32) {
        address = environment["NOTIFY_SOCKET"].flatMap(UnixAddress.init)
        let isOurs = environment["WATCHDOG_PID"].map { $0 == "\(processID)" } ?? true
        let microseconds = environment["WATCHDOG_USEC"].flatMap { Int64($0) } ?? 0
        watchdogInterval = isOurs && microseconds > 0 ? .microseconds(microseconds) : nil
    }

    /// The program answers requests from now on.
    ///
    /// - Parameter status: a sentence that `systemctl status` shows.
    package func ready(status: String) {
        send("READY=1\nSTATUS=\(Self.line(status))")
    }

    /// The configuration is being read again; `ready` ends it.
    ///
    /// - Parameter uptime: the monotonic clock's time, by which the manager tells two reloads apart.
    package func reloading(uptime: Duration) {
        send("RELOADING=1\nMONOTONIC_USEC=\(uptime.wholeNanoseconds / 1000)")
    }

    /// The program was told to end, and finishes what is under way.
    package func stopping() {
        send("STOPPING=1")
    }

    /// The program is alive: to be called twice in each `watchdogInterval`.
    package func watchdog() {
        send("WATCHDOG=1")
    }

    /// One line, so that a text from elsewhere cannot become a second message.
    private static func line(_ text: String) -> String {
        String(text.unicodeScalars.map { $0 == "\n" ? " " : Character($0) })
    }

    private func send(_ message: String) {
        guard let address else { return }
        let descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue) | O_CLOEXEC, 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let bytes = Array(message.utf8)
        address.withPointer { pointer, length in
            var sent = -1
            repeat {
                sent = sendto(
                    descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL), pointer, length)
            } while sent < 0 && errno == EINTR
        }
    }
}
