import BasketHTTP

/// `Accept-Encoding`: nobody is sent what they have not named, or have refused at the end.
enum AcceptEncodingFuzzer: Fuzzer {
    static let name = "accept-encoding"

    static func feed(_ bytes: [UInt8]) throws(FuzzFinding) {
        let text = String(decoding: bytes, as: UTF8.self)
        let isNamed = text.utf8.contains(UInt8(ascii: "*")) || text.lowercased().contains("gzip")
        guard isNamed || !AcceptEncoding.allowsGzip(["Accept-Encoding": text]) else {
            throw FuzzFinding("'\(text)' is taken for a wish for gzip")
        }
        guard !AcceptEncoding.allowsGzip(["Accept-Encoding": text + ", gzip;q=0"]) else {
            throw FuzzFinding("gzip is sent to whoever refuses it behind '\(text)'")
        }
    }
}
