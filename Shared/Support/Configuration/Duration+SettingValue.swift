/// A span of time, as people write it: `500ms`, `30s`, `5m`, `24h`, `90d`. A bare number is
/// refused: nobody should have to know what it would count.
extension Duration: SettingValue {
    private static let units: [(name: String, milliseconds: Int64)] = [
        ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1000), ("ms", 1),
    ]

    /// A century: what is longer is mistyped, and the nanoseconds of 292 years overflow.
    private static let longest: Int64 = 36_525 * 86_400_000

    package static var placeholder: String? { "TIME" }

    package static func read(_ text: String) throws(SettingMismatch) -> Duration {
        let expected = SettingMismatch(
            expected: "a time such as 500ms, 30s, 5m, 24h or 90d")
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let name = text.dropFirst(digits.count)
        guard let count = Int64(digits), let unit = units.first(where: { $0.name == name }) else {
            throw expected
        }
        let (milliseconds, tooLong) = count.multipliedReportingOverflow(by: unit.milliseconds)
        guard !tooLong, milliseconds <= longest else { throw expected }
        return .milliseconds(milliseconds)
    }

    package var settingText: String {
        let milliseconds = wholeNanoseconds / 1_000_000
        guard milliseconds != 0 else { return "0s" }
        let unit = Self.units.first { milliseconds % $0.milliseconds == 0 }
        return "\(milliseconds / (unit?.milliseconds ?? 1))\(unit?.name ?? "ms")"
    }
}
