/// Who stands in line. Those that somebody waits for go first; else it is as they came. Tens of thousands may stand in
/// one: joining, being next and leaving out of the middle all cost the same however long it is.
struct WaitingLine<Waiter> {
    /// What stands in both lines and is not here has left.
    private var waiters: [UInt64: Waiter] = [:]
    private var awaited = Order()
    private var others = Order()

    var count: Int { waiters.count }

    /// - Parameter number: that of nobody else in the line.
    mutating func join(_ waiter: Waiter, number: UInt64, isAwaited: Bool) {
        waiters[number] = waiter
        if isAwaited { awaited.append(number) } else { others.append(number) }
    }

    /// Somebody waits for who has that number, by now.
    mutating func hurry(number: UInt64) {
        // What stands in both is gone from one when it comes to the other.
        if waiters[number] != nil { awaited.append(number) }
    }

    /// Who has that number and leaves; nil for nobody.
    mutating func leave(number: UInt64) -> Waiter? {
        let waiter = waiters.removeValue(forKey: number)
        // Where nobody gets a turn for long, those who came and left would pile up.
        if awaited.count + others.count > 2 * waiters.count + 64 {
            awaited.keep { waiters[$0] != nil }
            others.keep { waiters[$0] != nil }
        }
        return waiter
    }

    /// Who is next and leaves; nil for nobody.
    mutating func next() -> Waiter? {
        while let number = awaited.popFirst() ?? others.popFirst() {
            if let waiter = waiters.removeValue(forKey: number) { return waiter }
        }
        return nil
    }
}

extension WaitingLine {
    /// The numbers of those who joined, in that order.
    private struct Order {
        private var numbers: [UInt64] = []
        private var first = 0

        var count: Int { numbers.count - first }

        mutating func append(_ number: UInt64) {
            numbers.append(number)
        }

        mutating func popFirst() -> UInt64? {
            guard first < numbers.count else { return nil }
            defer {
                first += 1
                if first * 2 > numbers.count {
                    numbers.removeFirst(first)
                    first = 0
                }
            }
            return numbers[first]
        }

        mutating func keep(_ isKept: (UInt64) -> Bool) {
            numbers = numbers[first...].filter(isKept)
            first = 0
        }
    }
}
