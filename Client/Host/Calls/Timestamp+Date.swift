import BasketSupport
import Foundation

extension Timestamp {
    /// A `Date` holds some hundred nanoseconds, so what comes of one is rounded to microseconds: the same
    /// moment is the same again after a way there and back.
    init(date: Date) {
        let microseconds = (date.timeIntervalSince1970 * 1_000_000).rounded()
        // What is out of reach is at its end, and what is no number is nothing: extensions say anything. The longest
        // is one that a double holds: the next one up would be too long.
        let longest = Double(Int64.max / 1000 - 1)
        let reached = microseconds.isNaN ? 0 : max(-longest, min(longest, microseconds))
        self.init(nanoseconds: Int64(reached) * 1000)
    }

    var date: Date { Date(timeIntervalSince1970: Double(nanoseconds) / 1_000_000_000) }
}
