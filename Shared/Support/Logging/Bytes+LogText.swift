/// Text in log lines. What comes from outside, such as a file's name, must neither end a line nor
/// reach a terminal as a command, nor turn the direction of what stands beside it.
extension [UInt8] {
    /// What a field may add to a line, before escaping; the rest is cut off.
    private static let mostBytes = 2048

    mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { append(contentsOf: $0) }
    }

    /// A field's value: as it is where nothing in it could be misread, in quotes otherwise.
    mutating func appendLogText(_ text: String) {
        if appendPlain(text, where: { $0 > 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x3D }) {
            return
        }
        appendQuoted(text, isJSON: false)
    }

    /// A JSON string, with its quotes. Beyond what JSON asks for, control and direction marks are
    /// escaped here too: people read these lines in terminals.
    mutating func appendJSON(_ text: String) {
        append(0x22)
        let isPlain = appendPlain(text, orEmpty: true) {
            $0 >= 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C
        }
        if isPlain {
            append(0x22)
        } else {
            removeLast()
            appendQuoted(text, isJSON: true)
        }
    }

    /// Appends the text if it is short, not empty and every byte passes; nearly every text does.
    private mutating func appendPlain(
        _ text: String, orEmpty: Bool = false, where passes: (UInt8) -> Bool
    ) -> Bool {
        let utf8 = text.utf8
        guard utf8.count <= Self.mostBytes, orEmpty || utf8.count > 0 else { return false }
        return utf8.withContiguousStorageIfAvailable { bytes in
            guard bytes.allSatisfy(passes) else { return false }
            append(contentsOf: bytes)
            return true
        } ?? false
    }

    private mutating func appendQuoted(_ text: String, isJSON: Bool) {
        append(0x22)
        var room = Self.mostBytes
        for scalar in text.unicodeScalars {
            let utf8 = UTF8.width(scalar)
            guard room >= utf8 else {
                append("…")
                break
            }
            room -= utf8
            switch scalar {
            case "\"": append("\\\"")
            case "\\": append("\\\\")
            case "\n": append("\\n")
            case "\r": append("\\r")
            case "\t": append("\\t")
            case _ where scalar.isHidden: appendEscape(scalar, isJSON: isJSON)
            default: append(contentsOf: UTF8.encode(scalar).unsafelyUnwrapped)
            }
        }
        append(0x22)
    }

    private mutating func appendEscape(_ scalar: Unicode.Scalar, isJSON: Bool) {
        guard isJSON else {
            append("\\u{")
            append(contentsOf: String(scalar.value, radix: 16).utf8)
            append(UInt8(ascii: "}"))
            return
        }
        for unit in UTF16.encode(scalar).unsafelyUnwrapped {
            append("\\u")
            let digits = String(unit, radix: 16).utf8
            append(contentsOf: repeatElement(UInt8(ascii: "0"), count: 4 - digits.count))
            append(contentsOf: digits)
        }
    }

    mutating func appendDecimal(_ number: Int64) {
        if number < 0 { append(UInt8(ascii: "-")) }
        var rest = number.magnitude
        let start = count
        repeat {
            append(UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
        } while rest > 0
        self[start...].reverse()
    }

    /// Milliseconds, to the microsecond: `12.345`.
    mutating func appendMilliseconds(_ duration: Duration) {
        let microseconds = duration.wholeNanoseconds / 1000
        if microseconds < 0 { append(UInt8(ascii: "-")) }
        let magnitude = Int64(microseconds.magnitude)
        appendDecimal(magnitude / 1000)
        append(UInt8(ascii: "."))
        appendThree(magnitude % 1000)
    }

    /// A number below 1000, with its leading zeros.
    mutating func appendThree(_ number: Int64) {
        append(UInt8(ascii: "0") + UInt8(number / 100))
        append(UInt8(ascii: "0") + UInt8(number / 10 % 10))
        append(UInt8(ascii: "0") + UInt8(number % 10))
    }
}

extension Unicode.Scalar {
    /// Whether a terminal obeys it instead of showing it. The two joiners are spared: names in
    /// Persian and half of the emoji need them.
    fileprivate var isHidden: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: true
        case .format: value != 0x200C && value != 0x200D
        default: false
        }
    }
}
