import BasketConnection

/// Streams of events: in whichever pieces one comes, it tells the same, or is refused.
enum EventStreamFuzzer: Fuzzer {
    static let name = "event-stream"

    private struct Told: Equatable {
        var events: [EventStreamParser.Event] = []
        var lastID: String?
        var retryMilliseconds: Int64?
    }

    static func feed(_ bytes: [UInt8]) throws(FuzzFinding) {
        let whole = read(bytes, by: max(1, bytes.count))
        for size in [1, 3] where read(bytes, by: size) != whole {
            throw FuzzFinding("in pieces of \(size) it tells something else")
        }
        guard let whole else { return }
        guard whole.lastID?.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) ?? true else {
            throw FuzzFinding("the identifier fits into no header")
        }
        for event in whole.events {
            // Refused in words, or understood.
            _ = try? ServerEvent(event)
        }
    }

    /// Nil for a stream that is refused.
    private static func read(_ bytes: [UInt8], by size: Int) -> Told? {
        var parser = EventStreamParser()
        var told = Told()
        for start in stride(from: 0, to: bytes.count, by: size) {
            guard let events = try? parser.take(bytes[start..<min(start + size, bytes.count)])
            else { return nil }
            told.events += events
        }
        told.lastID = parser.lastID
        told.retryMilliseconds = parser.retryMilliseconds
        return told
    }
}
