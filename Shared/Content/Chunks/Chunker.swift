/// Finds where chunks end, by the content alone: bytes inserted or removed somewhere move the ends
/// near them, and the chunks behind are the same as before. That is FastCDC with normalised sizes.
///
/// It keeps no bytes, so whoever feeds it decides whether they are copied. Pieces of any size give
/// the same ends. What is cut by one version must be cut alike by every later one.
///
/// Contents of many gigabytes are cut into fewer chunks, just below the greatest length: else there are more of them
/// than one request may name.
package struct Chunker: Sendable {
    /// Below this, chunks cost more in rows and round trips than they save.
    package static let minimumLength = 256 << 10
    /// What random bytes come to.
    package static let averageLength = 1 << 20
    /// What a sender or a receiver must be ready to hold in memory at once.
    package static let maximumLength = 4 << 20

    /// An end depends on this many bytes before it: each step moves a byte's share of the hash up by
    /// one bit of 64.
    private static let window = 64
    /// Up to this length an end is made unlikely, beyond it likely: lengths gather around the
    /// average, which is 1 MiB just with this turn.
    private static let turn = 832 << 10
    /// Where chunks are long, they end likely from here on: 250 KiB later, where the bytes are random.
    private static let longMinimumLength = 3 << 20
    /// One position in 2^22, and one in 2^18.
    private static let unlikely: UInt64 = 1 << 42
    private static let likely: UInt64 = 1 << 46

    /// How much of the present chunk has been seen.
    package private(set) var pendingLength = 0
    private var hash: UInt64 = 0
    private let minimum: Int
    private let turn: Int

    /// - Parameter isCoarse: whether chunks are to be as long as they may be.
    package init(isCoarse: Bool = false) {
        minimum = isCoarse ? Self.longMinimumLength : Self.minimumLength
        turn = isCoarse ? Self.longMinimumLength : Self.turn
    }

    /// How many of the bytes belong to the present chunk, if its end lies among them; nil when all of
    /// them do and it goes on. After an end, call again with the rest.
    package mutating func nextEnd(in bytes: Span<UInt8>) -> Int? {
        bytes.withUnsafeBufferPointer { bytes in
            gearTable.withUnsafeBufferPointer { gear in nextEnd(in: bytes, gear) }
        }
    }

    private mutating func nextEnd(
        in bytes: UnsafeBufferPointer<UInt8>, _ gear: UnsafeBufferPointer<UInt64>
    ) -> Int? {
        var next = 0
        while next < bytes.count {
            let (phaseEnd, limit) = phase
            let stop = min(bytes.count, next + phaseEnd - pendingLength)
            var found = false
            if let limit {
                let start = next
                found = roll(bytes, gear, from: &next, to: stop, until: limit)
                pendingLength += next - start
            } else {
                pendingLength += stop - next
                next = stop
            }
            if found || pendingLength == Self.maximumLength {
                pendingLength = 0  // The hash may stay: the next window pushes it out.
                return next
            }
        }
        return nil
    }

    /// Up to which length the present phase lasts, and below which hash the chunk ends in it: nil
    /// where nothing needs to be looked at, 0 where the window only fills.
    private var phase: (end: Int, limit: UInt64?) {
        switch pendingLength {
        case ..<(minimum - Self.window): (minimum - Self.window, nil)
        case ..<(minimum - 1): (minimum - 1, 0)
        case ..<turn: (turn, Self.unlikely)
        default: (Self.maximumLength, Self.likely)
        }
    }

    /// The loop that every byte goes through. Pointers, because bounds were checked once outside.
    private mutating func roll(
        _ bytes: UnsafeBufferPointer<UInt8>, _ gear: UnsafeBufferPointer<UInt64>,
        from next: inout Int, to stop: Int, until limit: UInt64
    ) -> Bool {
        guard let bytes = bytes.baseAddress, let gear = gear.baseAddress else { return false }
        var hash = hash
        var index = next
        defer {
            self.hash = hash
            next = index
        }
        while index < stop {
            hash = hash << 1 &+ gear[Int(bytes[index])]
            index += 1
            if hash < limit { return true }
        }
        return false
    }
}
