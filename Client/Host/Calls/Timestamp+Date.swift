import BasketSupport
import Foundation

extension Timestamp {
    /// A `Date` holds some hundred nanoseconds, so what comes of one is rounded to microseconds: the same
    /// moment is the same again after a way there and back.
    init(date: Date) {
        let microseconds = (date.timeIntervalSince1970 * 1_000_000).rounded()
        // What is out of reach is at its end: extensions say anything.
        let longest = Double(Int64.max / 1000)
        self.init(nanoseconds: Int64(max(-longest, min(longest, microseconds))) * 1000)
    }

    var date: Date { Date(timeIntervalSince1970: Double(nanoseconds) / 1_000_000_000) }
}
