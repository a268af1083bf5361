import Testing

@testable import BasketHTTP

@Suite("The pace of an upload")
struct SenderPaceTests {
    private static func isTooSlow(_ pace: inout SenderPace, at now: Duration) -> Bool {
        pace.isTooSlow(at: now, bytesPerSecond: 100, over: .seconds(10))
    }

    @Test("is judged by the time in which the server waits, and by no other")
    func waiting() {
        var pace = SenderPace()
        pace.wait(from: .seconds(0))
        let early = Self.isTooSlow(&pace, at: .seconds(9))
        pace.arrived(10, at: .seconds(9))
        // The server is busy for an hour, and waits for half a second more, and another half.
        pace.wait(from: .seconds(3600))
        let later = Self.isTooSlow(&pace, at: .milliseconds(3_600_500))
        let atLast = Self.isTooSlow(&pace, at: .seconds(3601))
        #expect(!early && !later && atLast)
    }

    @Test("may be uneven, as long as it is enough within each window")
    func uneven() {
        var pace = SenderPace()
        for second in 0..<100 {
            pace.wait(from: .seconds(second))
            pace.arrived(second % 10 == 0 ? 1000 : 0, at: .seconds(second + 1))
            let isTooSlow = Self.isTooSlow(&pace, at: .seconds(second + 1))
            #expect(!isTooSlow)
        }
    }
}
