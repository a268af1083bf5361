import BasketSupport

/// Bytes that no compression and no chunker finds anything in.
func someBytes(_ count: Int, seed: UInt64) -> [UInt8] {
    var random = SeededGenerator(seed: seed)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + 8)
    while bytes.count < count {
        let word = random.next()
        withUnsafeBytes(of: word) { bytes += $0 }
    }
    bytes.removeLast(bytes.count - count)
    return bytes
}
