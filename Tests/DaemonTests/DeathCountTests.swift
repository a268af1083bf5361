import BasketSupport
import Testing

@testable import FileProviderDaemon

@Suite("A host that dies again and again")
struct DeathCountTests {
    /// - Returns: when it was said to have died too often.
    private static func play(living: Duration, for span: Duration) -> [Duration] {
        var (now, deaths, told): (Duration, DeathCount, [Duration]) = (.seconds(1000), .init(), [])
        let start = now
        while now - start < span {
            now += living
            deaths.note(at: now)
            if deaths.takeTooMany() { told.append(now - start) }
            now += deaths.pause ?? .zero
        }
        return told
    }

    @Test(
        "keeps programs waiting for a minute or two at most, however long it lives each time",
        arguments: [Duration.milliseconds(5), .seconds(1), .seconds(4), .seconds(9)])
    func often(living: Duration) {
        let told = Self.play(living: living, for: .seconds(600))
        #expect(told.count >= 4)
        let pauses = zip([.zero] + told, told).map { $1 - $0 }
        #expect(pauses.allSatisfy { $0 >= .seconds(55) && $0 <= .seconds(130) }, "\(pauses)")
    }

    @Test("is followed by the next one, where that does not happen often")
    func seldom() {
        #expect(Self.play(living: .seconds(30), for: .seconds(3600)).isEmpty)
        var deaths = DeathCount()
        for second in 0..<3 {
            deaths.note(at: .seconds(second))
            #expect(deaths.pause == nil)
        }
        deaths.note(at: .seconds(3))
        #expect(deaths.pause == .milliseconds(100))
    }
}
