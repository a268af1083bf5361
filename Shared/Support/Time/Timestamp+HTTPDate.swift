/// Dates in HTTP headers: `Sat, 21 Nov 2026 09:30:00 GMT`, whole seconds only.
extension Timestamp {
    private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    package var httpDate: String {
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let days = seconds.flooredQuotient(by: 86_400)
        let date = CivilDate(daysSince1970: days)
        let second = seconds.flooredRemainder(by: 86_400)
        let weekday = Self.weekdays[Int(days.flooredRemainder(by: 7))]
        let time = "\(two(second / 3600)):\(two(second / 60 % 60)):\(two(second % 60))"
        let month = Self.months[Int(date.month - 1)]
        return "\(weekday), \(two(date.day)) \(month) \(date.year) \(time) GMT"
    }

    /// Reads the one form that senders may still produce; the two obsolete ones are nil, which
    /// makes a condition that bears them void, as HTTP asks.
    package init?(httpDate text: String) {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 6, words[5] == "GMT", words[0].count == 4,
            let day = Int64(words[1]), let year = Int64(words[3]),
            (1601...9999).contains(year),
            let month = Self.months.firstIndex(of: String(words[2]))
        else { return nil }
        let clock = words[4].split(separator: ":").compactMap { Int64($0) }
        let date = CivilDate(year: year, month: Int64(month) + 1, day: day)
        guard clock.count == 3, (0..<24).contains(clock[0]), (0..<60).contains(clock[1]),
            (0...60).contains(clock[2]), date.exists
        else { return nil }
        let seconds = date.daysSince1970 * 86_400 + clock[0] * 3600 + clock[1] * 60 + clock[2]
        let (scaled, tooFar) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !tooFar else { return nil }
        let moment = Timestamp(nanoseconds: scaled)
        // What we would write otherwise is not the one form; the name of the day is not looked at.
        guard moment.httpDate.utf8.dropFirst(3).elementsEqual(text.utf8.dropFirst(3)) else {
            return nil
        }
        self = moment
    }
}
