import Synchronization

/// Names requests: `k3f9a2-1c`. The first part is the process's own, the second counts, so that a name
/// costs next to nothing and stays short enough to need no memory.
final class RequestIDs: Sendable {
    private static let digits = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)

    private let prefix: [UInt8]
    private let count = Atomic<UInt64>(0)

    init(random: UInt64) {
        prefix = (0..<6).map { Self.digits[Int(random >> ($0 * 5) & 31)] } + [UInt8(ascii: "-")]
    }

    func next() -> String {
        var number = count.add(1, ordering: .relaxed).newValue
        return String(unsafeUninitializedCapacity: 20) { buffer in
            for (index, byte) in prefix.enumerated() { buffer[index] = byte }
            let digitCount = max(1, (64 - number.leadingZeroBitCount + 4) / 5)
            for index in (0..<digitCount).reversed() {
                buffer[prefix.count + index] = Self.digits[Int(number & 31)]
                number >>= 5
            }
            return prefix.count + digitCount
        }
    }
}
