/// Lets so many bytes a second pass. What passes at once may be more than is there: the debt is paid
/// before anything else passes.
struct TokenBucket {
    /// Bytes a second; nil for as many as there are.
    var rate: Int64?
    private var balance = 0.0
    /// Nanoseconds of the caller's clock.
    private var filledAt: Int64 = 0

    /// What is saved up for, as a part of a second: short, so that an idle minute is no licence for a
    /// burst; longer than a turn of the engine's loop.
    private static let saved = 0.05

    mutating func fill(at now: Int64) {
        defer { filledAt = now }
        guard let rate else { return }
        let earned = Double(now - filledAt) / 1e9 * Double(rate)
        balance = min(balance + earned, Double(rate) * Self.saved)
    }

    var isOpen: Bool { rate == nil || balance > 0 }

    mutating func take(_ count: Int) {
        if rate != nil { balance -= Double(count) }
    }

    /// What may pass at once, for the others to have their turn soon: what a quarter of a second earns.
    var mostAtOnce: Int { rate.map { Int(max(1, $0 / 4)) } ?? .max }

    /// In nanoseconds; 0 when it is open.
    var timeUntilOpen: Int64 {
        guard let rate, !isOpen else { return 0 }
        return Int64((1 - balance) / Double(max(1, rate)) * 1e9)
    }
}
