/// Where a request's body ends, decided strictly: whatever could be read in two ways is refused, and
/// the connection closed.
package struct MessageFraming: Equatable {
    package enum Body: Equatable {
        case none
        case known(Int64)
        case chunked
    }

    package let body: Body

    package init(_ headers: HTTPHeaders, isHTTP10: Bool) throws(HTTPRefusal) {
        var lengths: [String] = []
        var codings: [String] = []
        var hosts: [String] = []
        for (name, value) in headers.fields {
            // The lengths tell most headers apart without a look at their letters.
            switch name.utf8.count {
            case 4 where name.equalsIgnoringASCIICase("Host"): hosts.append(value)
            case 14 where name.equalsIgnoringASCIICase("Content-Length"): lengths.append(value)
            case 17 where name.equalsIgnoringASCIICase("Transfer-Encoding"): codings.append(value)
            default: break
            }
        }
        guard hosts.count == 1 || isHTTP10 && hosts.isEmpty else {
            throw .malformed("A request bears exactly one Host header.")
        }
        if let host = hosts.first { try Self.check(host: host) }
        if codings.isEmpty {
            body = try Self.length(lengths)
        } else {
            guard lengths.isEmpty else {
                throw .malformed("Content-Length and Transfer-Encoding exclude each other.")
            }
            guard !isHTTP10 else { throw .malformed("HTTP/1.0 has no Transfer-Encoding.") }
            guard codings.count == 1, codings[0].equalsIgnoringASCIICase("chunked") else {
                throw .malformed("'chunked' is the only Transfer-Encoding that is understood.")
            }
            body = .chunked
        }
    }

    private static func length(_ values: [String]) throws(HTTPRefusal) -> Body {
        guard let first = values.first else { return .none }
        guard values.allSatisfy({ $0 == first }), !first.isEmpty,
            first.utf8.allSatisfy({ (48...57).contains($0) }), let length = Int64(first)
        else { throw .malformed("Content-Length is not one number of bytes.") }
        return length == 0 ? .none : .known(length)
    }

    private static func check(host: String) throws(HTTPRefusal) {
        let isPlain = host.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "/"), UInt8(ascii: "@"), UInt8(ascii: "?"), UInt8(ascii: "#"),
                UInt8(ascii: "\\"), UInt8(ascii: ","), 0x20, 9:
                false
            default: byte < 0x7F
            }
        }
        guard isPlain else { throw .malformed("The Host header is no host and port.") }
    }
}
