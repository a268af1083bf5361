/// What a request's first line asks for, taken apart and decoded.
package struct RequestTarget: Sendable {
    package let rawPath: String
    package let path: [String]
    package let query: [(name: String, value: String)]

    /// - Parameter bytes: the target as it was sent: `/path?query`, `http://host/path?query`, or `*`.
    package init(_ bytes: ArraySlice<UInt8>) throws(HTTPRefusal) {
        // Control bytes and spaces never stand in a target, and a fragment never leaves a client.
        // Bytes beyond ASCII do: curl sends a path as it was typed.
        for byte in bytes where byte <= 0x20 || byte == 0x7F || byte == UInt8(ascii: "#") {
            throw .malformed("The target holds a character that has to be percent-encoded.")
        }
        var bytes = Self.withoutOrigin(bytes)
        var queryBytes: ArraySlice<UInt8> = []
        if let mark = bytes.firstIndex(of: UInt8(ascii: "?")) {
            queryBytes = bytes[(mark + 1)...]
            bytes = bytes[..<mark]
        }
        guard bytes.first == UInt8(ascii: "/") || bytes.elementsEqual([UInt8(ascii: "*")]) else {
            throw .malformed("The target is neither a path nor a whole address.")
        }
        guard let rawPath = String(validating: bytes, as: UTF8.self) else {
            throw .malformed("The path is not UTF-8.")
        }
        self.rawPath = rawPath
        path = try Self.segments(bytes)
        query = try Self.query(queryBytes)
    }

    /// A whole address is what a client sends to a proxy; a server has to understand it as well.
    private static func withoutOrigin(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard bytes.first != UInt8(ascii: "/") else { return bytes }
        for scheme in ["http://", "https://"] where bytes.count > scheme.utf8.count {
            let end = bytes.startIndex + scheme.utf8.count
            guard zip(bytes[..<end], scheme.utf8).allSatisfy({ $0.asciiLowercased == $1 }) else {
                continue
            }
            return bytes[end...].firstIndex(of: UInt8(ascii: "/")).map { bytes[$0...] } ?? bytes
        }
        return bytes
    }

    /// Split first, decoded afterwards: an encoded slash belongs to its segment.
    private static func segments(_ path: ArraySlice<UInt8>) throws(HTTPRefusal) -> [String] {
        guard path.first == UInt8(ascii: "/") else { return [] }
        var segments: [String] = []
        segments.reserveCapacity(8)
        var start = path.startIndex + 1
        while true {
            let end = path[start...].firstIndex(of: UInt8(ascii: "/")) ?? path.endIndex
            let segment = try decoded(path[start..<end], plusIsSpace: false, what: "path")
            if segment.utf8.contains(0) { throw .malformed("The path holds a NUL.") }
            segments.append(segment)
            guard end < path.endIndex else { return segments }
            start = end + 1
        }
    }

    private static func query(
        _ bytes: ArraySlice<UInt8>
    ) throws(HTTPRefusal) -> [(name: String, value: String)] {
        var items: [(name: String, value: String)] = []
        for item in bytes.split(separator: UInt8(ascii: "&")) {
            let mark = item.firstIndex(of: UInt8(ascii: "=")) ?? item.endIndex
            let name = try decoded(item[..<mark], plusIsSpace: true, what: "query")
            let value = try decoded(item[mark...].dropFirst(), plusIsSpace: true, what: "query")
            items.append((name, value))
        }
        return items
    }

    private static func decoded(
        _ bytes: ArraySlice<UInt8>, plusIsSpace: Bool, what: StaticString
    ) throws(HTTPRefusal) -> String {
        var text = bytes
        if bytes.contains(where: {
            $0 == UInt8(ascii: "%") || plusIsSpace && $0 == UInt8(ascii: "+")
        }) {
            guard let plain = percentDecoded(bytes, plusIsSpace: plusIsSpace) else {
                throw .malformed(
                    "The \(what) holds a '%' that two hexadecimal digits do not follow.")
            }
            text = plain[...]
        }
        guard let decoded = String(validating: text, as: UTF8.self) else {
            throw .malformed("The \(what) is not UTF-8.")
        }
        return decoded
    }

    private static func percentDecoded(_ bytes: ArraySlice<UInt8>, plusIsSpace: Bool) -> [UInt8]? {
        var plain: [UInt8] = []
        plain.reserveCapacity(bytes.count)
        var next = bytes.startIndex
        while next < bytes.endIndex {
            let byte = bytes[next]
            next += 1
            if byte == UInt8(ascii: "%") {
                guard next + 1 < bytes.endIndex, let high = bytes[next].hexadecimalDigit,
                    let low = bytes[next + 1].hexadecimalDigit
                else { return nil }
                plain.append(high << 4 | low)
                next += 2
            } else {
                plain.append(plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return plain
    }
}

extension UInt8 {
    var hexadecimalDigit: UInt8? {
        switch self {
        case 48...57: self - 48
        case 65...70: self - 55
        case 97...102: self - 87
        default: nil
        }
    }
}
