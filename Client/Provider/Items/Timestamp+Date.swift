import BasketSupport
import Foundation

extension Timestamp {
    /// The seconds from 1970 to 2001, where a `Date` begins to count.
    private static let reference = 978_307_200

    /// The nearest nanosecond; nil for a moment that a timestamp does not reach. Turned back, it is the same
    /// date again: the seconds and their fraction are taken apart before anything is rounded.
    init?(_ date: Date) {
        let interval = date.timeIntervalSinceReferenceDate
        let whole = interval.rounded(.down)
        guard let seconds = Int64(exactly: whole) else { return nil }
        let fraction = Int64(((interval - whole) * 1e9).rounded())
        let (moved, isBeyond) = seconds.addingReportingOverflow(Int64(Self.reference))
        let (scaled, isTooFar) = moved.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isTooFarNow) = scaled.addingReportingOverflow(fraction)
        guard !isBeyond, !isTooFar, !isTooFarNow else { return nil }
        self.init(nanoseconds: sum)
    }

    var date: Date {
        // Not by the seconds' product: that of the first ones is out of reach.
        let rest = nanoseconds % 1_000_000_000
        let fraction = rest < 0 ? rest + 1_000_000_000 : rest
        return Date(
            timeIntervalSinceReferenceDate: Double(seconds - Int64(Self.reference))
                + Double(fraction) / 1e9)
    }
}
