import Glibc

/// What this process has done so far.
struct ProcessWork {
    /// Of its processors.
    let time: Duration
    /// Of the disk.
    let blocks: Int

    static var now: ProcessWork {
        var usage = rusage()
        let whose = __rusage_who_t(RUSAGE_SELF.rawValue)
        guard getrusage(whose, &usage) == 0 else { return ProcessWork(time: .zero, blocks: 0) }
        func duration(_ time: timeval) -> Duration {
            .seconds(Int64(time.tv_sec)) + .microseconds(Int64(time.tv_usec))
        }
        return ProcessWork(
            time: duration(usage.ru_utime) + duration(usage.ru_stime),
            blocks: usage.ru_inblock + usage.ru_oublock)
    }
}
