import Foundation

/// Begins to measure when it is made.
struct Stopwatch {
    private let start = DispatchTime.now().uptimeNanoseconds
    private let processorStart = Stopwatch.processorSeconds()

    var seconds: Double { Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9 }

    func report() -> Report {
        var report = Report()
        report.seconds = seconds
        report.processorSeconds = Self.processorSeconds() - processorStart
        report.peakMegabytes = Double(Self.usage().ru_maxrss) * 1024 / 1e6
        return report
    }

    private static func processorSeconds() -> Double {
        let usage = usage()
        return [usage.ru_utime, usage.ru_stime].reduce(0) {
            $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6
        }
    }

    private static func usage() -> rusage {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return usage
    }
}
