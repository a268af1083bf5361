import BasketSupport
import CZlib

/// Bytes that differ from place to place and from seed to seed, made fast enough for a sanitizer.
func someBytes(_ count: Int, seed: UInt64) -> [UInt8] {
    var random = SeededGenerator(seed: seed)
    // Not a power of two, so that no block of a buffer's size looks like the next.
    let block = random.bytes(4099)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + block.count)
    while bytes.count < count { bytes += block }
    bytes.removeLast(bytes.count - count)
    return bytes
}

/// What tells two contents apart without a look at each byte in Swift.
func checksum(_ bytes: [UInt8], after earlier: UInt = 0) -> UInt {
    bytes.withUnsafeBufferPointer { crc32(earlier, $0.baseAddress, UInt32($0.count)) }
}
