/// Dates on the wire: RFC 3339 in UTC, with as many fractional digits as the moment needs.
extension Timestamp {
    /// `2026-11-21T09:30:00Z`, or `2026-11-21T09:30:00.000000001Z`.
    package var rfc3339: String {
        var text: [UInt8] = []
        text.reserveCapacity(30)
        appendRFC3339(to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends the text without a detour through a string: a page of a thousand items has
    /// thousands of dates.
    package func appendRFC3339(to text: inout [UInt8]) {
        let date = CivilDate(daysSince1970: seconds.flooredQuotient(by: 86_400))
        let second = seconds.flooredRemainder(by: 86_400)
        text.append(decimal: date.year, digits: 4)
        text.append(UInt8(ascii: "-"))
        text.append(decimal: date.month, digits: 2)
        text.append(UInt8(ascii: "-"))
        text.append(decimal: date.day, digits: 2)
        text.append(UInt8(ascii: "T"))
        text.append(decimal: second / 3600, digits: 2)
        text.append(UInt8(ascii: ":"))
        text.append(decimal: second / 60 % 60, digits: 2)
        text.append(UInt8(ascii: ":"))
        text.append(decimal: second % 60, digits: 2)
        let fraction = nanoseconds.flooredRemainder(by: 1_000_000_000)
        if fraction != 0 {
            text.append(UInt8(ascii: "."))
            text.append(decimal: fraction, digits: 9)
            while text.last == UInt8(ascii: "0") { text.removeLast() }
        }
        text.append(UInt8(ascii: "Z"))
    }

    /// Reads a date as RFC 3339 writes it, with any offset from UTC. Nil for everything else, and
    /// for a moment outside of what a timestamp holds. Digits beyond the ninth are dropped.
    package init?(rfc3339 text: some StringProtocol) {
        var scanner = DateScanner(Array(text.utf8))
        guard let moment = scanner.moment() else { return nil }
        self = moment
    }
}

/// Reads one date, strictly, from the front of its bytes to their end.
private struct DateScanner {
    private let bytes: [UInt8]
    private var next = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func moment() -> Timestamp? {
        guard
            let year = number(digits: 4), skip("-"), let month = number(digits: 2), skip("-"),
            let day = number(digits: 2), skip("T") || skip("t") || skip(" "),
            let hour = number(digits: 2), hour < 24, skip(":"),
            let minute = number(digits: 2), minute < 60, skip(":"),
            let second = number(digits: 2), second <= 60,
            let fraction = fraction(), let offset = offset(), next == bytes.count
        else { return nil }
        let date = CivilDate(year: year, month: month, day: day)
        guard date.exists else { return nil }
        // A leap second is the first moment of the next minute, as in POSIX time.
        let seconds = date.daysSince1970 * 86_400 + hour * 3600 + minute * 60 + second - offset
        // In 128 bits, because the first second that can be told starts before the first moment.
        let total = Int128(seconds) * 1_000_000_000 + Int128(fraction)
        return Int64(exactly: total).map(Timestamp.init(nanoseconds:))
    }

    private mutating func number(digits: Int) -> Int64? {
        guard next + digits <= bytes.count else { return nil }
        var value: Int64 = 0
        for byte in bytes[next..<next + digits] {
            guard let digit = byte.decimalDigit else { return nil }
            value = value * 10 + digit
        }
        next += digits
        return value
    }

    private mutating func skip(_ character: Character) -> Bool {
        guard next < bytes.count, bytes[next] == character.asciiValue else { return false }
        next += 1
        return true
    }

    private mutating func fraction() -> Int64? {
        guard skip(".") else { return 0 }
        var value: Int64 = 0
        var digits = 0
        while next < bytes.count, let digit = bytes[next].decimalDigit {
            if digits < 9 { value = value * 10 + digit }
            digits += 1
            next += 1
        }
        guard digits > 0 else { return nil }
        for _ in min(digits, 9)..<9 { value *= 10 }
        return value
    }

    private mutating func offset() -> Int64? {
        if skip("Z") || skip("z") { return 0 }
        let sign: Int64
        if skip("+") { sign = 1 } else if skip("-") { sign = -1 } else { return nil }
        guard let hours = number(digits: 2), hours < 24, skip(":"),
            let minutes = number(digits: 2), minutes < 60
        else { return nil }
        return sign * (hours * 3600 + minutes * 60)
    }
}

extension UInt8 {
    var decimalDigit: Int64? {
        self >= 48 && self <= 57 ? Int64(self) - 48 : nil
    }
}

extension Int64 {
    func flooredQuotient(by divisor: Int64) -> Int64 {
        let quotient = self / divisor
        return self % divisor < 0 ? quotient - 1 : quotient
    }

    func flooredRemainder(by divisor: Int64) -> Int64 {
        let remainder = self % divisor
        return remainder < 0 ? remainder + divisor : remainder
    }
}

extension [UInt8] {
    /// A number with leading zeros; the sign is the caller's business.
    fileprivate mutating func append(decimal value: Int64, digits: Int) {
        let start = count
        append(contentsOf: repeatElement(UInt8(ascii: "0"), count: digits))
        var rest = value
        var position = start + digits
        while rest > 0, position > start {
            position -= 1
            self[position] = UInt8(ascii: "0") + UInt8(rest % 10)
            rest /= 10
        }
    }
}
