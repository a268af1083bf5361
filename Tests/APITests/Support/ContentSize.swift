/// Contents of both kinds: one that lies in the database, and one of several chunks.
enum ContentSize: Int, CaseIterable {
    case small = 1000
    case large = 3_000_000

    var bytes: [UInt8] {
        switch self {
        case .small: Self.smallBytes
        case .large: Self.largeBytes
        }
    }

    // Made once: many tests want them.
    private static let smallBytes = patterned(small.rawValue)
    private static let largeBytes = patterned(large.rawValue)
}

/// Bytes in which every place is told from its neighbours, and nothing repeats.
func patterned(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    var state = seed
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    while bytes.count < count {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let mixed = state ^ state >> 29
        withUnsafeBytes(of: mixed) { bytes.append(contentsOf: $0) }
    }
    return Array(bytes.prefix(count))
}
