import CMicroHTTPD

/// A request's first line and headers, read from libmicrohttpd's memory and checked.
struct RequestHead {
    let method: HTTPMethod
    let target: RequestTarget
    let headers: HTTPHeaders
    let framing: MessageFraming
    let isHTTP10: Bool

    init(
        _ mhd: MHDConnection, method: UnsafePointer<CChar>, target: [UInt8], targetAddress: UInt,
        version: UnsafePointer<CChar>, limits: HTTPLimits
    ) throws(HTTPRefusal) {
        let start = UInt(bitPattern: method)
        let size = basket_mhd_header_size(mhd.pointer)
        guard size <= limits.headerBytes else {
            throw .headersTooLarge(limit: limits.headerBytes)
        }
        guard target.count <= limits.targetBytes else {
            throw .targetTooLong(limit: limits.targetBytes)
        }
        // One space on either side of the target, and no NUL in it.
        let methodLength = Self.length(method)
        let versionAddress = UInt(bitPattern: version)
        let versionLength: UInt = 8
        guard targetAddress == start + methodLength + 1,
            versionAddress == targetAddress + UInt(target.count) + 1,
            versionAddress + versionLength + 4 <= start + UInt(size),
            version[8] == 0, version[9] == 0
        else {
            throw .malformed("The first line is not METHOD TARGET HTTP/1.1, ended by CR and LF.")
        }
        let block = UnsafeRawPointer(version) + 10
        let blockSize = Int(start + UInt(size) - versionAddress - 10)
        headers = try HeaderBlock.parse(
            UnsafeBufferPointer(
                start: block.assumingMemoryBound(to: UInt8.self), count: blockSize))
        // Both must have seen the same headers, or they would disagree on where the request ends.
        let counted = MHD_get_connection_values(mhd.pointer, .HEADER_KIND, nil, nil)
        guard Int(counted) == headers.fields.count else {
            throw .malformed("The headers can be read in two ways.")
        }
        // Whoever stands in front of us may have believed the other one.
        guard headers.all("Authorization").count <= 1 else {
            throw .malformed("There are two Authorization headers.")
        }
        isHTTP10 = version[7] == CChar(UInt8(ascii: "0"))
        framing = try MessageFraming(headers, isHTTP10: isHTTP10)
        if framing.body == .chunked { try Self.checkCoding(mhd) }
        let expectations = headers.all("Expect")
        guard expectations.allSatisfy({ $0.equalsIgnoringASCIICase("100-continue") }) else {
            throw .expectationFailed
        }
        guard let known = HTTPMethod(rawValue: String(cString: method)) else {
            throw .methodUnknown
        }
        self.method = known
        self.target = try RequestTarget(target[...])
    }

    /// libmicrohttpd takes a coding for chunked only when nothing stands around the word.
    private static func checkCoding(_ mhd: MHDConnection) throws(HTTPRefusal) {
        let value = MHD_lookup_connection_value(mhd.pointer, .HEADER_KIND, "Transfer-Encoding")
        guard let value, String(cString: value).equalsIgnoringASCIICase("chunked") else {
            throw .malformed("Nothing may stand around the word 'chunked'.")
        }
    }

    private static func length(_ text: UnsafePointer<CChar>) -> UInt {
        var length: UInt = 0
        while text[Int(length)] != 0 { length += 1 }
        return length
    }
}
