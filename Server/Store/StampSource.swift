import BasketSupport

/// Mints the numbers of items, versions, devices and contents: by the clock, so that new rows lie
/// together; with random low bits, so that no two copies of a server give the same ones; and always
/// rising, whatever the clock does.
struct StampSource {
    /// The years that 41 bits of milliseconds hold begin here.
    private static let start = Timestamp(seconds: 1_735_689_600).milliseconds  // 2025
    private static let randomBits: Int64 = 22
    /// How far apart numbers lie that the clock does not space: so that more than a hundred have room in a
    /// millisecond.
    private static let stepBits: Int64 = 16

    /// How far a reservation reaches: a row is written once in a minute, not with each number. The first
    /// ones are short: a command mints a few, and a hundred commands must not leave the clock behind.
    private static let shortestReservation: Int64 = 2_000 << randomBits
    private static let longestReservation: Int64 = 60_000 << randomBits
    /// A transaction begins with room for some ten thousand numbers.
    private static let margin: Int64 = 500 << randomBits
    /// How far a restored copy leaves behind what the other one may have given after the copy was made.
    private static let leap: Int64 = 3_600_000 << randomBits

    /// No number above this one is given before it was raised in the database: so a restart goes on
    /// above everything that was ever given, even when the clock was set back meanwhile.
    private var reserved: Int64
    /// What this source last asked to be written, though that may have been rolled back.
    private var asked: Int64
    private var reach = shortestReservation
    private var last: Int64
    private var generator: SeededGenerator

    /// - Parameter reserved: as the database has it.
    init(after reserved: Int64, seed: UInt64) {
        self.reserved = reserved
        asked = reserved
        last = reserved
        generator = SeededGenerator(seed: seed)
    }

    mutating func next(at now: Timestamp) -> Int64 {
        let random = Int64(generator.next() >> (64 - UInt64(Self.randomBits)))
        let byClock = Self.first(at: now) | random
        // Within a millisecond, and after the clock was set back: a step of random width.
        let step = 1 + Int64(generator.next() >> (64 - UInt64(Self.stepBits)))
        last = byClock > last ? byClock : last + step
        return last
    }

    /// What names something among all servers and all their copies, and has no place in any order.
    mutating func name() -> Int64 {
        Int64(generator.next() >> 1)
    }

    /// What a restored copy's reservation is raised to.
    mutating func leap(beyond stored: Int64, at now: Timestamp) -> Int64 {
        let random = Int64(generator.next() >> 1) % Self.leap
        return max(stored, last, Self.first(at: now)) + Self.leap + random
    }

    /// Whether the reservation has to be looked at before more numbers are minted.
    func isShort(at now: Timestamp) -> Bool {
        max(last, Self.first(at: now)) + Self.margin > reserved
    }

    /// What to write down in this transaction; nil when what is there will do.
    ///
    /// - Parameter stored: what the database says within the transaction. When that is not from here,
    ///   another process has minted up to there, and this one goes on above it.
    mutating func reservation(stored: Int64, at now: Timestamp) -> Int64? {
        if stored != reserved, stored != asked { last = max(last, stored) }
        let wanted = max(last, Self.first(at: now)) + Self.margin
        guard wanted > stored || stored != asked else { return nil }
        asked = max(stored, wanted + reach)
        reach = min(reach * 2, Self.longestReservation)
        return asked
    }

    /// The transaction that wrote it is durable.
    mutating func hold(_ reservation: Int64) {
        reserved = max(reserved, reservation)
    }

    private static func first(at now: Timestamp) -> Int64 {
        max(1, now.milliseconds - start) << randomBits
    }
}
