/// Which bytes a text holds, in 64 bits: some share one. What lacks a bit lacks its bytes.
struct ByteSignature: Sendable {
    private var bits: UInt64 = 0

    init(_ text: ArraySlice<UInt8>) {
        for byte in text { bits |= 1 << UInt64(byte & 63) }
    }

    func mayHold(_ other: ByteSignature) -> Bool {
        bits & other.bits == other.bits
    }
}
