/// Guesses from what a program has read what it will read next.
struct ReadAhead: Sendable {
    /// What is to be brought here for a read.
    struct Plan: Equatable, Sendable {
        var range: Range<Int64>
        /// Somebody reads on and on: all of it will be needed.
        var isAll: Bool
    }

    /// Where reading goes on, if it does.
    private var next: Int64 = 0
    /// How much was read on and on.
    private var length: Int64 = 0

    /// Has to be told of every read: also what is here already shows where somebody is.
    mutating func note(_ range: Range<Int64>, _ settings: HostSettings) {
        // The kernel asks ahead, and its questions do not come in order.
        let slack = 4 * settings.partAlignment
        if range.lowerBound <= next + slack, range.upperBound + slack >= next {
            length += max(0, range.upperBound - next)
            next = max(next, range.upperBound)
        } else {
            length = 0
            next = range.upperBound
        }
    }

    /// - Parameter range: lies within the content, and was noted.
    func plan(for range: Range<Int64>, of size: Int64, _ settings: HostSettings) -> Plan {
        if size <= settings.shortLength { return Plan(range: 0..<size, isAll: false) }
        // As much again as was read already.
        let window = min(max(length, settings.partAlignment), settings.partLength)
        let end = max(range.upperBound, min(size, range.lowerBound + window))
        return Plan(range: range.lowerBound..<end, isAll: length >= settings.intentLength)
    }
}
