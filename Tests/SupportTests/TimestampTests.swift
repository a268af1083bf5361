import BasketSupport
import Testing

@Suite("A timestamp")
struct TimestampTests {
    @Test(
        "is written as RFC 3339 with the digits it needs",
        arguments: [
            (0, "1970-01-01T00:00:00Z"),
            (1, "1970-01-01T00:00:00.000000001Z"),
            (-1, "1969-12-31T23:59:59.999999999Z"),
            (951_782_400_500_000_000, "2000-02-29T00:00:00.5Z"),
            (1_795_253_400_000_000_000, "2026-11-21T09:30:00Z"),
            (Int64.max, "2262-04-11T23:47:16.854775807Z"),
            (Int64.min, "1677-09-21T00:12:43.145224192Z"),
        ] as [(Int64, String)])
    func writes(nanoseconds: Int64, text: String) {
        #expect(Timestamp(nanoseconds: nanoseconds).rfc3339 == text)
        #expect(Timestamp(rfc3339: text) == Timestamp(nanoseconds: nanoseconds))
    }

    @Test(
        "reads an offset, and digits beyond the ninth",
        arguments: [
            ("2026-11-21T10:30:00+01:00", "2026-11-21T09:30:00Z"),
            ("2026-11-21t09:30:00.1234567899z", "2026-11-21T09:30:00.123456789Z"),
            ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00Z"),
        ])
    func reads(text: String, same: String) {
        #expect(Timestamp(rfc3339: text)?.rfc3339 == same)
    }

    @Test(
        "refuses what is no date, or too far away",
        arguments: [
            "", "now", "2026-11-21", "2026-11-21T09:30Z", "2026-02-29T00:00:00Z",
            "2026-11-21T24:00:00Z", "2026-11-21T09:30:00", "2026-11-21T09:30:00.Z",
            "2026-11-21T09:30:00Zjunk", "2026-13-01T00:00:00Z", "0001-01-01T00:00:00Z",
            "9999-12-31T00:00:00Z", "2026-11-21T09:30:00+24:00", "２０２６-11-21T09:30:00Z",
        ])
    func refuses(text: String) {
        #expect(Timestamp(rfc3339: text) == nil)
    }

    @Test("survives both ways, for any moment", arguments: UInt64(0)..<20)
    func roundTrip(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            let moment = Timestamp(nanoseconds: Int64(bitPattern: generator.next()))
            #expect(Timestamp(rfc3339: moment.rfc3339) == moment)
        }
    }

    @Test("is an HTTP date in whole seconds")
    func httpDate() {
        let moment = Timestamp(rfc3339: "1994-11-06T08:49:37.5Z")!
        #expect(moment.httpDate == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(Timestamp(httpDate: moment.httpDate)?.rfc3339 == "1994-11-06T08:49:37Z")
        #expect(Timestamp(httpDate: "Sunday, 06-Nov-94 08:49:37 GMT") == nil)
    }

    @Test(
        "is no HTTP date in any other form",
        arguments: [
            "Sun, +6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:xx:49:37 GMT",
            "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 8:49:37 GMT",
            "Sun, 06 Nov 1994 08:49:60 GMT", "Sun, 31 Feb 1994 08:49:37 GMT", "",
        ])
    func noHTTPDate(text: String) {
        #expect(Timestamp(httpDate: text) == nil)
    }

    @Test("stops at the ends instead of overflowing")
    func saturates() {
        #expect(Timestamp(nanoseconds: .max) + .seconds(1) == Timestamp(nanoseconds: .max))
        #expect(Timestamp(nanoseconds: .min) - .seconds(1) == Timestamp(nanoseconds: .min))
    }

    @Test("of a file that is older or newer than can be told is at that end")
    func clamped() {
        #expect(Timestamp(clamping: 13_569_465_600, nanoseconds: 5) == Timestamp(nanoseconds: .max))
        #expect(
            Timestamp(clamping: -13_569_465_600, nanoseconds: 5) == Timestamp(nanoseconds: .min))
        #expect(
            Timestamp(clamping: 9_223_372_036, nanoseconds: 999_999_999)
                == Timestamp(nanoseconds: .max))
        #expect(Timestamp(clamping: -1, nanoseconds: 1) == Timestamp(nanoseconds: -999_999_999))
    }
}
