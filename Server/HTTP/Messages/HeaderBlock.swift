/// Reads a request's headers from the bytes in which libmicrohttpd has found them, and refuses what it
/// lets through: a NUL in a value, a bare CR or LF, folded lines, names that are no names. What two
/// programs may read differently is how one request is smuggled inside another.
package struct HeaderBlock {
    /// libmicrohttpd has put NULs where it has taken the block apart: one for each colon, two for
    /// each CRLF. One alone at a line's end was a bare LF; any other came from the client.
    ///
    /// - Parameter bytes: from the byte after the first line's CRLF to the empty line's end.
    package static func parse(
        _ bytes: UnsafeBufferPointer<UInt8>
    ) throws(HTTPRefusal) -> HTTPHeaders {
        var headers = HTTPHeaders()
        var next = 0
        while true {
            guard next + 1 < bytes.count else {
                throw .malformed("A header line does not end with CR and LF.")
            }
            if bytes[next] == 0, bytes[next + 1] == 0, next + 2 == bytes.count { return headers }
            let name = try name(in: bytes, from: &next)
            let value = try value(in: bytes, from: &next)
            headers.append(name, value)
        }
    }

    private static func name(
        in bytes: UnsafeBufferPointer<UInt8>, from next: inout Int
    ) throws(HTTPRefusal) -> String {
        let start = next
        while next < bytes.count, bytes[next] != 0 {
            guard bytes[next].isTokenCharacter else {
                throw .malformed("A header's name holds a character that does not belong there.")
            }
            next += 1
        }
        guard next > start, next < bytes.count else { throw .malformed("A header has no name.") }
        defer { next += 1 }
        return String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<next]), as: UTF8.self)
    }

    private static func value(
        in bytes: UnsafeBufferPointer<UInt8>, from next: inout Int
    ) throws(HTTPRefusal) -> String {
        var start = next
        while next < bytes.count, bytes[next] != 0 {
            guard bytes[next] >= 0x20 && bytes[next] != 0x7F || bytes[next] == 9 else {
                throw .malformed("A header's value holds a control character.")
            }
            next += 1
        }
        guard next + 1 < bytes.count, bytes[next] == 0, bytes[next + 1] == 0 else {
            throw .malformed("A header's value holds a NUL, or does not end with CR and LF.")
        }
        var end = next
        next += 2
        while start < end, bytes[start] == 0x20 || bytes[start] == 9 { start += 1 }
        while start < end, bytes[end - 1] == 0x20 || bytes[end - 1] == 9 { end -= 1 }
        return String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<end]), as: UTF8.self)
    }
}

extension UInt8 {
    /// What may stand in a method or in a header's name.
    var isTokenCharacter: Bool {
        switch self {
        case 48...57, 65...90, 97...122: true
        case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"),
            UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"),
            UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "^"), UInt8(ascii: "_"),
            UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
