/// A moment: nanoseconds since 1970 in UTC. It holds the years 1677 to 2262, to the precision that
/// Linux keeps for a file.
package struct Timestamp: Hashable, Comparable, Sendable {
    package let nanoseconds: Int64

    package init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    package init(seconds: Int64) {
        self.nanoseconds = seconds * 1_000_000_000
    }

    /// As a file system tells it: what it dates before or after all that can be told here is at that end.
    package init(clamping seconds: Int64, nanoseconds: Int64) {
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, overflowToo) = scaled.addingReportingOverflow(nanoseconds)
        let isTold = !overflow && !overflowToo
        self.nanoseconds = isTold ? sum : seconds < 0 ? .min : .max
    }

    /// Whole seconds since 1970, rounded down.
    package var seconds: Int64 {
        let quotient = nanoseconds / 1_000_000_000
        return nanoseconds % 1_000_000_000 < 0 ? quotient - 1 : quotient
    }

    /// Whole milliseconds since 1970, rounded down.
    package var milliseconds: Int64 {
        let quotient = nanoseconds / 1_000_000
        return nanoseconds % 1_000_000 < 0 ? quotient - 1 : quotient
    }

    package static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    /// Stops at the ends of what can be told instead of overflowing: "a hundred years ago" is a
    /// moment too, wherever it starts from.
    package static func + (moment: Timestamp, duration: Duration) -> Timestamp {
        let (sum, overflow) = moment.nanoseconds.addingReportingOverflow(duration.wholeNanoseconds)
        guard overflow else { return Timestamp(nanoseconds: sum) }
        return Timestamp(nanoseconds: duration < .zero ? .min : .max)
    }

    package static func - (moment: Timestamp, duration: Duration) -> Timestamp {
        let (difference, overflow) = moment.nanoseconds.subtractingReportingOverflow(
            duration.wholeNanoseconds)
        guard overflow else { return Timestamp(nanoseconds: difference) }
        return Timestamp(nanoseconds: duration < .zero ? .max : .min)
    }

    package static func - (later: Timestamp, earlier: Timestamp) -> Duration {
        let (difference, overflow) = later.nanoseconds.subtractingReportingOverflow(
            earlier.nanoseconds)
        guard overflow else { return .nanoseconds(difference) }
        return .nanoseconds(later < earlier ? Int64.min : Int64.max)
    }
}

extension Duration {
    /// Saturating at the 292 years that 64 bits hold.
    package var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, overflowToo) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000)
        guard overflow || overflowToo else { return sum }
        return seconds < 0 ? .min : .max
    }
}
