import BasketSupport

/// The same bytes for the same seed; eight at a time, because a test needs millions.
func randomBytes(_ count: Int, seed: UInt64) -> [UInt8] {
    var generator = SeededGenerator(seed: seed)
    return [UInt8](unsafeUninitializedCapacity: (count + 7) / 8 * 8) { buffer, filled in
        let words = UnsafeMutableRawBufferPointer(buffer)
        for offset in stride(from: 0, to: count, by: 8) {
            words.storeBytes(
                of: generator.next().littleEndian, toByteOffset: offset, as: UInt64.self)
        }
        filled = count
    }
}
