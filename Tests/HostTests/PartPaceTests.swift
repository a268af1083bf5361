import Testing

@testable import FileProviderHost

@Suite("How long parts are")
struct PartPaceTests {
    private let settings = HostSettings()

    @Test(
        "follows from how fast they come",
        arguments: [
            (1 << 20, 1 << 20), (20 << 20, 5 << 20), (500 << 20, 16 << 20),
        ] as [(Int64, Int64)])
    func pace(bytesInASecond: Int64, length: Int64) {
        let pace = PartPace()
        #expect(pace.length(settings) == settings.leastPartLength)
        for _ in 0..<3 { pace.note(bytesInASecond, in: .seconds(1)) }
        #expect(pace.length(settings) == length)
    }

    @Test("is no matter of what comes at once, or in no time")
    func short() {
        let pace = PartPace()
        pace.note(4096, in: .microseconds(1))
        pace.note(1 << 30, in: .zero)
        #expect(pace.length(settings) == settings.leastPartLength)
    }

    @Test("is a multiple of what parts are aligned to, and never more than a part may be")
    func aligned() {
        let pace = PartPace()
        pace.note(12_345_678, in: .seconds(1))
        #expect(pace.length(settings) % settings.partAlignment == 0)
        var small = settings
        (small.partLength, small.partAlignment) = (8, 4)
        #expect(pace.length(small) == 8)
    }
}
