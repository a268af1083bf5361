/// Guesses from what a program has read what it will read next.
struct ReadAhead: Sendable {
    /// What is to be brought here for a read.
    struct Plan: Equatable, Sendable {
        var range: Range<Int64>
        /// Somebody reads on and on: all of it will be needed.
        var isAll: Bool
    }

    private var next: Int64 = 0
    private var window: Int64 = 0
    private var length: Int64 = 0

    /// - Parameter range: lies within the content.
    mutating func plan(
        for range: Range<Int64>, of size: Int64, _ settings: HostSettings
    ) -> Plan {
        // The kernel asks ahead, and not always in order.
        let slack = settings.partAlignment
        if range.lowerBound <= next + slack, range.upperBound >= next {
            length += max(0, range.upperBound - next)
            window = min(max(window * 2, settings.partAlignment), settings.partLength)
        } else {
            length = 0
            window = settings.partAlignment
        }
        next = range.upperBound
        if size <= settings.shortLength { return Plan(range: 0..<size, isAll: false) }
        let end = max(range.upperBound, min(size, range.lowerBound + window))
        return Plan(range: range.lowerBound..<end, isAll: length >= settings.intentLength)
    }
}
