import Glibc
import Synchronization

/// The process's signals. The main thread waits for them, so that no call is ever interrupted: they go
/// to the command that takes them, and end every other.
package enum SignalSource {
    private static let wanted = [SIGTERM, SIGINT, SIGHUP]
    /// More than this waiting to be dealt with say nothing that the first ones did not.
    private static let mostWaiting = 64
    /// How long a command that was told to end may take to do so. One that is in the midst of a call to
    /// the disk does not hear of it; what it leaves is safe, as it is after a crash.
    private static let patienceSeconds = 1

    private static let taker = Mutex<AsyncStream<Int32>.Continuation?>(nil)
    private static let ending = Mutex<Int32?>(nil)
    private static let last = Mutex<(@Sendable () -> Void)?>(nil)

    /// Keeps signals from every thread that is started afterwards. Called first of all.
    package static func block() {
        var set = set()
        pthread_sigmask(SIG_BLOCK, &set, nil)
        signal(SIGPIPE, SIG_IGN)
        // A file that may not grow is told by the call that tried, and is no reason to die.
        signal(SIGXFSZ, SIG_IGN)
    }

    /// The signals from now on, which end nothing by themselves then.
    package static func take() -> AsyncStream<Int32> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Int32.self, bufferingPolicy: .bufferingOldest(mostWaiting))
        taker.withLock { $0 = continuation }
        return stream
    }

    /// What the process ends with after a signal, by the custom of shells; nil when there was none.
    package static var status: Int32? { ending.withLock { $0 } }

    /// Does something before a signal ends the process, until something else is to be done, or nothing.
    package static func beforeTheEnd(_ body: (@Sendable () -> Void)?) {
        last.withLock { $0 = body }
    }

    /// Waits for signals to the end of the process.
    ///
    /// - Parameter cancel: has the command end by itself, and may be in vain.
    package static func wait(cancel: () -> Void) -> Never {
        var set = set()
        while true {
            var number: Int32 = 0
            guard sigwait(&set, &number) == 0 else { continue }
            if let taker = taker.withLock({ $0 }) {
                taker.yield(number)
                continue
            }
            guard !isIgnored(number) else { continue }
            let status = 128 + number
            ending.withLock { $0 = status }
            cancel()
            // A second signal says that even this is too long.
            var limit = timespec(tv_sec: patienceSeconds, tv_nsec: 0)
            sigtimedwait(&set, nil, &limit)
            last.withLock { $0 }?()
            _exit(status)
        }
    }

    /// Behind `nohup`, and in the background of a script, whoever started the command has said so.
    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return false }
        let ignored = unsafeBitCast(SIG_IGN, to: Int.self)
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == ignored
    }

    private static func set() -> sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for number in wanted { sigaddset(&set, number) }
        return set
    }
}
