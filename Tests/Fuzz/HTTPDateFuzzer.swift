import BasketSupport

/// Dates in HTTP headers: only the one form that senders may produce is read.
enum HTTPDateFuzzer: Fuzzer {
    static let name = "http-date"

    static func feed(_ bytes: [UInt8]) throws(FuzzFinding) {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let moment = Timestamp(httpDate: text) else { return }
        guard Timestamp(httpDate: moment.httpDate) == moment, text.utf8.count == 29 else {
            throw FuzzFinding("'\(text)' is taken for \(moment.httpDate)")
        }
    }
}
