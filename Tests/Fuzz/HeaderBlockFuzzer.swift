import BasketHTTP

/// A request's headers as they lie in libmicrohttpd's memory, where NULs have taken the place of colons
/// and line ends: nothing gets through that could be read in two ways.
enum HeaderBlockFuzzer: Fuzzer {
    static let name = "header-block"

    static func feed(_ bytes: [UInt8]) throws(FuzzFinding) {
        guard let headers = parsed(bytes) else { return }  // Refused, in words.
        for (name, value) in headers.fields {
            let isName = name.utf8.allSatisfy { (0x21..<0x7F).contains($0) && $0 != 0x3A }
            guard isName, !name.isEmpty else { throw FuzzFinding("'\(name)' is taken for a name") }
            guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 9 }) else {
                throw FuzzFinding("the value of \(name) holds a control character")
            }
        }
        var again: [UInt8] = []
        for (name, value) in headers.fields {
            again += Array(name.utf8) + [0, 0x20] + Array(value.utf8) + [0, 0]
        }
        guard let read = parsed(again + [0, 0]), isSame(read, headers) else {
            throw FuzzFinding("\(headers.fields) are other headers when they are written")
        }
        try checkFraming(headers)
    }

    private static func parsed(_ bytes: [UInt8]) -> HTTPHeaders? {
        // What is refused is nothing to look at further.
        bytes.withUnsafeBufferPointer { try? HeaderBlock.parse($0) }
    }

    private static func isSame(_ left: HTTPHeaders, _ right: HTTPHeaders) -> Bool {
        left.fields.elementsEqual(right.fields) { left, right in
            left.name.utf8.elementsEqual(right.name.utf8)
                && left.value.utf8.elementsEqual(right.value.utf8)
        }
    }

    /// One Host, and one way to find the end of the body.
    private static func checkFraming(_ headers: HTTPHeaders) throws(FuzzFinding) {
        for isHTTP10 in [false, true] {
            guard let framing = try? MessageFraming(headers, isHTTP10: isHTTP10) else { continue }
            let lengths = headers.all("Content-Length")
            let codings = headers.all("Transfer-Encoding")
            let isSound =
                switch framing.body {
                case .none: codings.isEmpty && lengths.allSatisfy { Int64($0) == 0 }
                case .known(let length):
                    codings.isEmpty && length > 0 && lengths.allSatisfy { Int64($0) == length }
                case .chunked: lengths.isEmpty && codings.count == 1 && !isHTTP10
                }
            guard isSound, headers.all("Host").count <= 1 else {
                throw FuzzFinding("\(headers.fields) frame \(framing.body)")
            }
        }
    }
}
