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
    /// Where that has begun.
    private var start: Int64 = 0
    /// How much was read on and on since then.
    private var length: Int64 = 0

    /// Has to be told of every read: also what is here already shows where somebody is.
    mutating func note(_ range: Range<Int64>, _ settings: HostSettings) {
        // The kernel asks ahead, and its questions do not come in order. Sizes may be as large as numbers are.
        let slack = 4 * settings.partAlignment
        if range.lowerBound - next <= slack, next - range.upperBound <= slack {
            // What is leapt over may come yet; else, it is less on and on than here and there.
            let leap = max(0, range.lowerBound - next)
            next = max(next, range.upperBound)
            let read = max(0, length - leap) + (range.upperBound - range.lowerBound)
            length = min(read, next - start)
        } else {
            (start, next, length) = (range.lowerBound, range.upperBound, 0)
        }
    }

    /// - Parameter range: lies within the content, and was noted.
    func plan(for range: Range<Int64>, of size: Int64, _ settings: HostSettings) -> Plan {
        if size <= settings.shortLength { return Plan(range: 0..<size, isAll: false) }
        // As much again as was read already.
        let window = min(max(length, settings.partAlignment), settings.partLength)
        let end = max(range.upperBound, min(size - range.lowerBound, window) + range.lowerBound)
        return Plan(range: range.lowerBound..<end, isAll: isForAll(size, settings))
    }

    /// Whoever looks into a large file at its beginning does not want all of it; and what is not large has come with a few
    /// more parts.
    private func isForAll(_ size: Int64, _ settings: HostSettings) -> Bool {
        size > settings.partLength && length >= max(settings.intentLength, size / 16)
    }
}
