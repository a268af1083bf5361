import BasketSupport

/// Mints the numbers of items, versions, devices and contents: by the clock, so that new rows lie
/// together; with random low bits, so that they can't be guessed and a restored server never gives
/// one again; and always rising, whatever the clock does.
struct StampSource {
    /// The years that 41 bits of milliseconds hold begin here.
    private static let start = Timestamp(seconds: 1_735_689_600).milliseconds  // 2025
    private static let randomBits: Int64 = 22

    /// How far a reservation reaches: a row is written once in a minute, not with each number.
    private static let reservedAhead: Int64 = 60_000 << randomBits

    /// No number above this one is given before it was raised in the database: so a restart goes on
    /// above everything that was ever given, even when the clock was set back meanwhile.
    var reserved: Int64
    private var last: Int64
    private var generator: SeededGenerator

    /// - Parameter reserved: as the database has it.
    init(after reserved: Int64, seed: UInt64) {
        self.reserved = reserved
        last = reserved
        generator = SeededGenerator(seed: seed)
    }

    mutating func next(at now: Timestamp) -> Int64 {
        let random = Int64(generator.next() >> (64 - UInt64(Self.randomBits)))
        let byClock = max(1, now.milliseconds - Self.start) << Self.randomBits | random
        // Within a millisecond, and after the clock was set back: a small step, of random width.
        last = byClock > last ? byClock : last + 1 + Int64(generator.next() >> 56)
        return last
    }

    /// What to write down in the transaction that was given the last number; nil when the
    /// reservation still covers it.
    func neededReservation() -> Int64? {
        last > reserved ? last + Self.reservedAhead : nil
    }
}
