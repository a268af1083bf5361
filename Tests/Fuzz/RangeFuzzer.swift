import BasketHTTP

/// `Range` headers: whatever is asked for, what goes out lies inside of the content, goes out once,
/// and in few parts.
enum RangeFuzzer: Fuzzer {
    static let name = "range"

    private static let sizes: [Int64] = [0, 1, 100, 1 << 20, .max]

    static func feed(_ bytes: [UInt8]) throws(FuzzFinding) {
        let text = String(decoding: bytes, as: UTF8.self)
        for size in sizes {
            let request = HTTPRangeRequest(text, size: size)
            guard case .parts(let parts) = request else { continue }
            guard (1...HTTPRangeRequest.mostParts).contains(parts.count) else {
                throw FuzzFinding("asks for \(parts.count) parts")
            }
            guard parts.allSatisfy({ isInside($0, size) }) else {
                throw FuzzFinding("asks for \(parts) of \(size) bytes")
            }
            let ordered = parts.sorted { $0.offset < $1.offset }
            guard zip(ordered, ordered.dropFirst()).allSatisfy({ $0.end < $1.offset }) else {
                throw FuzzFinding("asks for the same bytes twice: \(parts)")
            }
            let again = parts.map { "\($0.offset)-\($0.end - 1)" }.joined(separator: ",")
            guard HTTPRangeRequest("bytes=\(again)", size: size) == request else {
                throw FuzzFinding("\(parts) are something else when they are asked for")
            }
        }
    }

    private static func isInside(_ part: HTTPByteRange, _ size: Int64) -> Bool {
        part.offset >= 0 && part.offset < size && part.length > 0
            && part.length <= size - part.offset
    }
}
