import BasketSupport
import Glibc

/// The process's signals as a sequence: one thread waits for them, none is ever interrupted.
enum SignalSource {
    private static let wanted = [SIGTERM, SIGINT, SIGHUP]

    /// Keeps signals from every thread that is started afterwards. Called first of all.
    static func block() {
        var set = set()
        pthread_sigmask(SIG_BLOCK, &set, nil)
        signal(SIGPIPE, SIG_IGN)
        // A file that may not grow is told by the call that tried, and is no reason to die.
        signal(SIGXFSZ, SIG_IGN)
    }

    static func signals() -> AsyncStream<Int32> {
        AsyncStream { continuation in
            _ = Thread(name: "signals") {
                var set = set()
                while true {
                    var number: Int32 = 0
                    if sigwait(&set, &number) == 0 { continuation.yield(number) }
                }
            }
        }
    }

    private static func set() -> sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for number in wanted { sigaddset(&set, number) }
        return set
    }
}
