import BasketContent

/// Which bytes of a content are in an older one, and which must be fetched.
package struct DeltaPlan: Sendable, Equatable {
    /// Bytes that the older content has.
    package struct Copy: Sendable, Equatable {
        /// Where in the older content.
        package let source: Int64
        /// Where in the new one.
        package let target: Int64
        package let length: Int
        package let hash: ContentHash
    }

    /// Neighbours are fetched together up to this: enough that the round trip does not count, little
    /// enough that several travel at a time.
    static let longestFetch: Int64 = 16 << 20

    package private(set) var copies: [Copy] = []
    /// Parts of the new content, in their order.
    package private(set) var fetches: [Range<Int64>] = []

    package init(to manifest: Manifest, from older: Manifest?) {
        var known: [Manifest.Chunk: Int64] = [:]
        var source: Int64 = 0
        for chunk in older?.chunks ?? [] {
            known[chunk] = source
            source += Int64(chunk.length)
        }
        var target: Int64 = 0
        for chunk in manifest.chunks {
            let end = target + Int64(chunk.length)
            if let source = known[chunk] {
                copies.append(
                    Copy(source: source, target: target, length: chunk.length, hash: chunk.hash))
            } else {
                fetch(target..<end)
            }
            target = end
        }
    }

    /// Has a part fetched that was to be copied.
    mutating func fetch(_ range: Range<Int64>) {
        if let last = fetches.last, last.upperBound == range.lowerBound,
            range.upperBound - last.lowerBound <= Self.longestFetch
        {
            fetches[fetches.count - 1] = last.lowerBound..<range.upperBound
        } else {
            fetches.append(range)
        }
    }

    package var fetchedBytes: Int64 { fetches.reduce(0) { $0 + Int64($1.count) } }
}
