/// Writes JSON straight into bytes. Lists of a thousand items go through here, from the rows of the
/// database, without a value or a string in between.
package struct JSONWriter: Sendable {
    package private(set) var bytes: [UInt8]
    private var needsComma = false

    package init(capacity: Int = 512) {
        bytes = []
        bytes.reserveCapacity(capacity)
    }

    // MARK: Structure

    package mutating func object(_ body: (inout JSONWriter) throws -> Void) rethrows {
        separate()
        bytes.append(UInt8(ascii: "{"))
        needsComma = false
        try body(&self)
        bytes.append(UInt8(ascii: "}"))
        needsComma = true
    }

    package mutating func array(_ body: (inout JSONWriter) throws -> Void) rethrows {
        separate()
        bytes.append(UInt8(ascii: "["))
        needsComma = false
        try body(&self)
        bytes.append(UInt8(ascii: "]"))
        needsComma = true
    }

    /// A member's name; its value follows. Names are ours, so there is nothing to escape in them.
    package mutating func key(_ name: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        unsafe bytes.append(
            contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// A member's name that came from outside.
    package mutating func key(text name: String) {
        string(name)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Ends a line of a stream of JSON values.
    package mutating func endLine() {
        bytes.append(UInt8(ascii: "\n"))
        needsComma = false
    }

    // MARK: Values

    package mutating func null() {
        raw("null")
    }

    package mutating func bool(_ value: Bool) {
        raw(value ? "true" : "false")
    }

    package mutating func number(_ value: Int64) {
        separate()
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        let start = bytes.count
        var rest = value.magnitude
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
        } while rest > 0
        bytes[start...].reverse()
        needsComma = true
    }

    package mutating func number(_ value: Int) {
        number(Int64(value))
    }

    package mutating func string(_ value: String) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        for byte in value.utf8 { appendEscaped(byte) }
        bytes.append(UInt8(ascii: "\""))
        needsComma = true
    }

    /// Text that is known to be UTF-8, where it lies.
    package mutating func string(_ value: Span<UInt8>) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        for index in value.indices { appendEscaped(value[index]) }
        bytes.append(UInt8(ascii: "\""))
        needsComma = true
    }

    /// A string whose bytes `body` appends; they must need no escape: numbers, dates, hex.
    package mutating func plainString(_ body: (inout [UInt8]) -> Void) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        body(&bytes)
        bytes.append(UInt8(ascii: "\""))
        needsComma = true
    }

    /// A value that is JSON already.
    package mutating func json(_ value: Span<UInt8>) {
        separate()
        for index in value.indices { bytes.append(value[index]) }
        needsComma = true
    }

    /// A value that is JSON already.
    package mutating func json(_ value: [UInt8]) {
        separate()
        bytes += value
        needsComma = true
    }

    private mutating func raw(_ text: String) {
        separate()
        bytes += text.utf8
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
    }

    private mutating func appendEscaped(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
            bytes.append(UInt8(ascii: "\\"))
            bytes.append(byte)
        case 0x20...: bytes.append(byte)
        case UInt8(ascii: "\n"): bytes += "\\n".utf8
        case UInt8(ascii: "\t"): bytes += "\\t".utf8
        case UInt8(ascii: "\r"): bytes += "\\r".utf8
        default:
            bytes += "\\u00".utf8
            bytes.append(hexDigits[Int(byte >> 4)])
            bytes.append(hexDigits[Int(byte & 15)])
        }
    }
}

private let hexDigits = Array("0123456789abcdef".utf8)
