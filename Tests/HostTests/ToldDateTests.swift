import BasketSupport
import Foundation
import Testing

@testable import FileProviderHost

@Suite("A date that an extension tells")
struct ToldDateTests {
    @Test(
        "is at the end of what can be kept where it is out of reach",
        arguments: [
            (Date.distantPast, false), (Date.distantFuture, true),
            (Date(timeIntervalSince1970: .infinity), true),
            (Date(timeIntervalSince1970: -.infinity), false),
            (Date(timeIntervalSince1970: 9_223_372_036.854_775_807), true),
        ])
    func beyond(date: Date, isLate: Bool) {
        let kept = Timestamp(date: date)
        let end = Timestamp(nanoseconds: isLate ? .max : .min)
        #expect(abs(kept.nanoseconds / 1_000_000 - end.nanoseconds / 1_000_000) <= 1)
        #expect(Timestamp(date: kept.date) == kept)
    }

    @Test(
        "is the same once more after a way there and back",
        arguments: [0, -1500, 1_795_253_400_250] as [Int64])
    func same(milliseconds: Int64) {
        let kept = Timestamp(date: Date(timeIntervalSince1970: Double(milliseconds) / 1000))
        #expect(kept == Timestamp(nanoseconds: milliseconds * 1_000_000))
        #expect(Timestamp(date: kept.date) == kept)
    }

    @Test("is the beginning where it is no number")
    func nothing() {
        #expect(Timestamp(date: Date(timeIntervalSince1970: .nan)) == Timestamp(nanoseconds: 0))
    }
}
