import BasketSupport
import Glibc

/// Tells now and then that this process works, for as long as it does: a large replica may take long to open after a crash,
/// and whoever waits for that must be able to tell it from a process that is stuck.
final class SignsOfLife: Sendable {
    private let wake = Semaphore()

    /// Telling of itself takes less.
    private static let leastWork = Duration.milliseconds(10)

    /// - Parameter pause: how often.
    init(every pause: Duration, _ tell: @escaping @Sendable () -> Void) {
        Thread(name: "signs of life") { [wake] in
            var before = Work.now
            while !wake.wait(upTo: pause) {
                let now = Work.now
                if now.time - before.time >= Self.leastWork || now.blocks != before.blocks {
                    tell()
                }
                before = now
            }
        }.detach()
    }

    func stop() { wake.signal() }

    /// What this process has done so far.
    private struct Work {
        /// Of its processors.
        var time = Duration.zero
        /// Of the disk.
        var blocks = 0

        static var now: Work {
            var usage = rusage()
            let whose = __rusage_who_t(RUSAGE_SELF.rawValue)
            guard getrusage(whose, &usage) == 0 else { return Work() }
            func duration(_ time: timeval) -> Duration {
                .seconds(Int64(time.tv_sec)) + .microseconds(Int64(time.tv_usec))
            }
            return Work(
                time: duration(usage.ru_utime) + duration(usage.ru_stime),
                blocks: usage.ru_inblock + usage.ru_oublock)
        }
    }
}
